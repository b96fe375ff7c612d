#include "cli/exit_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace kvprof::cli {

namespace {

constexpr std::array kMeaning{
    std::pair{ExitCode::done, "done"},
    std::pair{
        ExitCode::difference,
        "gate: regressed; diff --exit-code: changed; claims: contradicted; verify, merge: differs"},
    std::pair{ExitCode::usage, "usage error: the command line or an option combination is wrong"},
    std::pair{ExitCode::inconclusive, "gate, claims: the data do not decide"},
    std::pair{
        ExitCode::not_comparable, "the two sides can not be compared; claims: one was not tested"},
    std::pair{ExitCode::not_measured, "a run could not be measured (no GPU, memory, a crash, ...)"},
    std::pair{ExitCode::check_failed, "output check failed: device and reference differ"},
    std::pair{ExitCode::store, "store damaged, locked, foreign, or newer than this program"},
    std::pair{ExitCode::internal, "internal error: a bug, never a verdict"},
    std::pair{ExitCode::interrupted, "interrupted (Ctrl-C); finished runs are stored"},
    std::pair{ExitCode::terminated, "terminated (SIGTERM); finished runs are stored"}};

constexpr std::array kPrecedence{
    ExitCode::terminated,
    ExitCode::interrupted,
    ExitCode::internal,
    ExitCode::store,
    ExitCode::check_failed,
    ExitCode::not_measured,
    ExitCode::not_comparable,
    ExitCode::difference,
    ExitCode::inconclusive,
    ExitCode::done};

} // namespace

ExitCode code_of(const Error& error) {
    if (dynamic_cast<const UsageError*>(&error) != nullptr) {
        return ExitCode::usage;
    }
    if (dynamic_cast<const ComparabilityError*>(&error) != nullptr) {
        return ExitCode::not_comparable;
    }
    if (dynamic_cast<const UnavailableError*>(&error) != nullptr
        || dynamic_cast<const BadDataError*>(&error) != nullptr) {
        return ExitCode::not_measured;
    }
    if (dynamic_cast<const VerifyError*>(&error) != nullptr) {
        return ExitCode::check_failed;
    }
    if (dynamic_cast<const StoreError*>(&error) != nullptr) {
        return ExitCode::store;
    }
    return ExitCode::internal;
}

ExitCode worse(ExitCode a, ExitCode b) {
    const auto as_run = [](ExitCode code) {
        return code == ExitCode::usage ? ExitCode::not_measured : code;
    };
    const auto rank = [&](ExitCode code) {
        return std::find(kPrecedence.begin(), kPrecedence.end(), as_run(code));
    };
    return rank(a) < rank(b) ? as_run(a) : as_run(b);
}

std::span<const std::pair<ExitCode, const char*>> exit_codes() {
    return kMeaning;
}

const char* exit_code_precedence() {
    return "When several runs give different codes: 70, 7, 6, 5, 4, 1, 3, 0, the first wins.";
}

std::string exit_codes_text() {
    std::string text = "Exit codes\n\n";
    for (const auto& [code, meaning] : kMeaning) {
        text += fmt::format("  {:>3}  {}\n", static_cast<int>(code), meaning);
    }
    return fmt::format("{}\n{}\n", text, exit_code_precedence());
}

} // namespace kvprof::cli
