#pragma once

#include "analyzers/gate.h"
#include "cli/commands.h"
#include "cli/gate_result.h"
#include "cli/run_plan.h"
#include "db/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

/// What a gate found.
struct GateAnswer {
    std::optional<analyzers::GateResult> result; ///< nothing when it was interrupted
    ExitCode code = ExitCode::done;              ///< 130 or 143 then
    std::vector<std::string> experiments;        ///< uuids, the first measurement first
    std::vector<std::string> remarks;            ///< of the result, that only this gate knows
};

/// The options of a gate's experiment: the policy's number of runs unless --runs was given.
[[nodiscard]] RunOptions gated_run(RunOptions run, const analyzers::Policy& policy);

/// Its plan. @throws UsageError when no result of it could ever be significant, with the number of
/// runs that would do.
[[nodiscard]] RunPlan plan_gate(const RunOptions& run, const analyzers::Policy& policy);

/// Measures both sides beside each other and judges them; with --confirm a regression is measured
/// once more.
[[nodiscard]] GateAnswer gate_now(
    const GateOptions& options,
    const analyzers::CompareOptions& how,
    const GateRules& rules,
    db::Store& store
);

/// The rules of a gate that judges now.
[[nodiscard]] GateRules rules_of(const GateOptions& options);

} // namespace kvprof::cli
