#pragma once

#include "analyzers/compare.h"
#include "analyzers/policy.h"
#include "capture/model/exit_code.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// A primary row of one case, and what the policy says of it.
struct GatedRow {
    std::size_t case_index = 0;         ///< into GateResult::cases
    std::size_t row_index = 0;          ///< into Comparison::deltas, or ::kernels
    bool is_kernel = false;             ///< a row of Comparison::kernels ("kernels" is primary)
    std::string name;                   ///< as the policy calls it: "step_time"; a kernel's name
    std::optional<Acceptance> accepted; ///< a regression that is not counted
    std::optional<Acceptance> expired;  ///< the acceptance whose last day has passed
};

/// The answer of `kvprof gate`.
struct GateResult {
    Policy policy;
    std::vector<Comparison> cases;
    std::vector<GatedRow> rows;
    Verdict verdict = Verdict::inconclusive;
    ExitCode code = ExitCode::inconclusive;
    /// "regressed (1): step_time +1.49% [+1.41, +1.57] > 1%": the last line on stderr.
    std::string line;
    /// Primary metrics that nobody measured, in the words of the last line.
    std::vector<std::string> missing;
    /// What was not measured, limits that this machine can not gate, how often it was tried.
    std::vector<std::string> remarks;
};

/// Judges the primary rows of all cases. `today` ("2026-11-29") decides which acceptances hold.
/// `allows_single_layout`: else sampled rows of runs that shared a process stay inconclusive.
[[nodiscard]] GateResult gate_of(
    std::vector<Comparison> cases,
    const Policy& policy,
    std::string_view today,
    bool allows_single_layout = false
);

/// The answer when a regression was measured a second time: regressed only when both say so; a
/// disagreement is inconclusive ("not-confirmed").
[[nodiscard]] GateResult confirmed(GateResult first, const GateResult& second);

/// Sampled primary rows that a comparison of `cases` cases has by this policy: the family's size.
/// "kernels" counts as one a case, since nobody knows before how many there are.
[[nodiscard]] std::size_t family_size(const Policy& policy, std::size_t cases);

/// Why no result could ever be significant: the smallest p of `runs` paired runs a side times the
/// family's size is over alpha. Empty when one could. Names the runs that would do.
[[nodiscard]] std::string
unreachable(const Policy& policy, std::size_t cases, std::size_t runs, std::size_t looks);

} // namespace kvprof::analyzers
