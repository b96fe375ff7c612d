#include "capture/git_revision.h"

#include "capture/model/error.h"
#include "capture/program_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

namespace kvprof {

namespace {

constexpr std::size_t kHashDigits = 40; // a SHA-256 repository has more

bool is_revision(std::string_view text) {
    return text.size() >= kHashDigits
           && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view without_line_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \n") + 1);
}

/// A command that leaves the repository as it is: it takes no lock, so that it leaves none behind
/// when it is killed; writes no index; and starts no monitor.
experiment::ChildCommand reading(const std::string& git, std::vector<std::string> words) {
    experiment::ChildCommand command;
    command.program = git;
    command.arguments = {"git", "--no-optional-locks", "-c", "core.fsmonitor=false"};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    command.timeout = std::chrono::seconds{1};
    return command;
}

bool is_done(const experiment::ChildResult& git) {
    return git.end == experiment::ChildEnd::exited && git.code == 0;
}

std::string failure_of(const experiment::ChildResult& git) {
    return fmt::format("unavailable: git {}", experiment::describe(git));
}

/// Whether a line of `git status --porcelain` is there: two letters for index and file, then a
/// path. Warnings on stderr stand between them.
bool has_change(std::string_view lines) {
    constexpr std::string_view kStates = " MTADRCU";
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        if (line.size() > 3 && line[2] == ' ' && line.find_first_not_of(kStates) >= 3) {
            return true;
        }
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    return false;
}

std::string revision_of(const std::string& git, const RunProgram& run) {
    const auto head = run(reading(git, {"rev-parse", "--verify", "HEAD"}));
    const std::string_view said = without_line_end(head.output_tail);
    if (said.find("not a git repository") != std::string_view::npos) {
        return "none";
    }
    if (!is_done(head) || !is_revision(said)) {
        return failure_of(head);
    }
    // Not `describe --dirty`, which rewrites the index under a lock whatever it is told.
    const auto status = run(reading(git, {"status", "--porcelain", "--untracked-files=no"}));
    if (!is_done(status)) {
        return failure_of(status);
    }
    return std::string(said) + (has_change(status.output_tail) ? "+" : "");
}

} // namespace

std::string git_revision(const RunProgram& run) {
    const auto program = find_program("git");
    if (!program) {
        return "none";
    }
    try {
        return revision_of(*program, run);
    } catch (const UnavailableError& error) {
        return fmt::format("unavailable: {}", error.what());
    }
}

} // namespace kvprof
