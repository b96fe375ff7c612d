#include "cli/gate_evidence.h"

#include "cli/exit_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace kvprof::cli {

namespace {

using analyzers::GateResult;
using analyzers::Verdict;

ExitCode code_of(const Run& run) {
    return run.status.state == RunState::interrupted ? ExitCode::done
                                                     : static_cast<ExitCode>(run.status.exit_code);
}

const char* what_failed(ExitCode code) {
    if (code == ExitCode::check_failed) {
        return "an output check failed";
    }
    return code == ExitCode::internal ? "a measuring process failed" : "a measurement failed";
}

/// @param why "an output check failed (6): ..."; what the complete runs say follows, if anything
void overrule(GateResult& result, ExitCode code, std::string why) {
    if (result.verdict != Verdict::not_comparable) {
        why += fmt::format("; the complete runs say {}", result.line);
    }
    result.line = std::move(why);
    result.code = code;
    result.verdict = Verdict::inconclusive;
}

} // namespace

ExitCode code_of_runs(const std::vector<Run>& runs) {
    ExitCode code = ExitCode::done;
    for (const Run& run : runs) {
        code = worse(code, code_of(run));
    }
    return code;
}

void weigh_failures(GateResult& result, const std::vector<Run>& runs) {
    const ExitCode code = code_of_runs(runs);
    if (worse(code, result.code) == result.code) {
        return;
    }
    const auto has_failed = [&](const Run& run) { return code_of(run) == code; };
    const auto failed = std::count_if(runs.begin(), runs.end(), has_failed);
    const auto first = std::find_if(runs.begin(), runs.end(), has_failed);
    overrule(
        result,
        code,
        fmt::format(
            "{} ({}): {} of {} runs, the first: {}",
            what_failed(code),
            static_cast<int>(code),
            failed,
            runs.size(),
            first->status.reason
        )
    );
}

void weigh_end(GateResult& result, const Experiment& experiment) {
    if (experiment.state == ExperimentState::complete || !experiment.ab) {
        return;
    }
    const bool has_empty_side =
        std::any_of(result.cases.begin(), result.cases.end(), [](const auto& one) {
            return one.base.runs.empty() || one.candidate.runs.empty();
        });
    const ExitCode code = has_empty_side ? ExitCode::not_measured : ExitCode::inconclusive;
    const bool outranks =
        has_empty_side || worse(result.code, ExitCode::difference) == ExitCode::difference;
    if (!outranks || worse(result.code, ExitCode::not_measured) != ExitCode::not_measured) {
        return; // what is worse stays
    }
    const auto complete =
        std::count_if(experiment.runs.begin(), experiment.runs.end(), [](const Run& run) {
            return run.status.state == RunState::complete;
        });
    overrule(
        result,
        code,
        fmt::format(
            "{} ({}): unfinished, {} of {} runs a case",
            has_empty_side ? "a measurement failed" : "inconclusive",
            static_cast<int>(code),
            complete,
            2 * experiment.ab->runs
        )
    );
}

} // namespace kvprof::cli
