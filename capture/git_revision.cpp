#include "capture/git_revision.h"

#include "capture/model/error.h"
#include "capture/program_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace kvprof {

namespace {

constexpr std::size_t kHashDigits = 40; // a SHA-256 repository has more

bool is_revision(std::string_view text) {
    if (text.ends_with('+')) {
        text.remove_suffix(1);
    }
    return text.size() >= kHashDigits
           && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view without_line_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \n") + 1);
}

std::string revision_in(const experiment::ChildResult& git) {
    const std::string_view said = without_line_end(git.output_tail);
    if (git.end == experiment::ChildEnd::exited && git.code == 0 && is_revision(said)) {
        return std::string(said);
    }
    if (said.find("not a git repository") != std::string_view::npos) {
        return "none";
    }
    return fmt::format("unavailable: git {}", experiment::describe(git));
}

} // namespace

std::string git_revision(const RunProgram& run) {
    const auto program = find_program("git");
    if (!program) {
        return "none";
    }
    // No tag matches, so that the answer is a hash; no lock is taken and no monitor is started, so
    // that the repository stays as it is.
    experiment::ChildCommand command;
    command.program = *program;
    command.arguments = {
        "git",
        "--no-optional-locks",
        "-c",
        "core.fsmonitor=false",
        "describe",
        "--always",
        "--exclude=*",
        "--abbrev=64",
        "--dirty=+"};
    command.timeout = std::chrono::seconds{1};
    try {
        return revision_in(run(command));
    } catch (const UnavailableError& error) {
        return fmt::format("unavailable: {}", error.what());
    }
}

} // namespace kvprof
