#pragma once

#include "analyzers/compare.h"
#include "analyzers/metrics_of.h"
#include "analyzers/table.h"
#include "capture/model/run.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

// The words and cells that text and Markdown share.

/// What the row's test counts: "runs", or "occasions" of a stored baseline.
[[nodiscard]] std::string_view unit_words(const Delta& row);

/// "index-mode: rectangle -> stream", several joined by "; "; what was not declared says so.
/// Without any, side_changes() or "no field differs".
[[nodiscard]] std::string describe_changes(const Comparison& comparison);
/// "8 + 8 runs, interleaved, 2 void and replaced; everything else equal; same device and build", or
/// the number of concerns.
[[nodiscard]] std::string describe_sides(const Comparison& comparison);
/// "4 improved, 3 same, 1 inconclusive": a count of the judged rows.
[[nodiscard]] std::string describe_counts(const Comparison& comparison);
/// What makes the verdict of the whole, the most telling first: "step.gpu_time +1.49 % [+1.41,
/// +1.57], beyond the limit of 1 %".
[[nodiscard]] std::vector<std::string> verdict_reasons(const Comparison& comparison);
/// "step.gpu_time +1.49 % [+1.41, +1.57]", "step.launches 41 -> 40 (-1)".
[[nodiscard]] std::string describe_row(const Delta& row);

/// "12.41 ms", or "12.39 ms .. 12.43 ms" of runs that disagree; "-" without values.
[[nodiscard]] std::string side_cell(const SideValues& values, const MetricDef& metric);
/// "-1", "-1.00 GiB", "new", "gone", "0", "+1.49 % [+1.41, +1.57]", "+1.46 % (no interval)".
[[nodiscard]] std::string change_cell(const Delta& row);
/// "improved", or "-" for a row that is not judged.
[[nodiscard]] std::string verdict_cell(const Delta& row);
/// "exact", "8+8": how many runs a side.
[[nodiscard]] std::string runs_cell(const Delta& row);
/// "0.09 %": the least change that these runs would have shown; "-" where none is known, empty
/// for an exact row.
[[nodiscard]] std::string detectable_cell(const Delta& row);
/// "beyond 1 %, confirmed", "within 1 %; detectable, below threshold", "too-few-runs".
[[nodiscard]] std::string evidence_cell(const Delta& row);
/// "1 %", "noise floor 1.2 %"; empty for a row without a threshold.
[[nodiscard]] std::string limit_words(const Delta& row);

/// Rows worth a line.
struct ShownRows {
    std::vector<const Delta*> primary; ///< they decide the whole
    std::vector<const Delta*> judged;
    std::vector<const Delta*> explaining; ///< better in neither direction, and different
    std::size_t left_out = 0;             ///< equal, and would only explain
};

[[nodiscard]] ShownRows shown_rows(const Comparison& comparison);

/// First 8 digits: enough for a reference, short enough for a table.
[[nodiscard]] std::string short_id(std::string_view uuid);
/// "(as given)" for the empty variant of an experiment in which nothing varies.
[[nodiscard]] std::string variant_name(std::string_view variant);
/// One row a run: id, variant, status, time, launches, nodes, graph bytes, check; of ops that ran
/// alone under known ceilings their time over the floor; of an A/B experiment its side and block
/// too.
[[nodiscard]] Table run_table(const std::vector<Run>& runs);
/// "16 of 16 runs complete, 2 void": void ones were replaced and count as neither.
[[nodiscard]] std::string describe_runs(const std::vector<Run>& runs);
/// "A: (as given); B: index-mode=stream; ABBA blocks, 8 runs a side, seed 42".
[[nodiscard]] std::string describe_design(const AbDesign& design);
/// "65,536 ids equal; attention error 1.2e-07", "none"; no word of ids on the host executor, which
/// is the twin that ids are compared with.
[[nodiscard]] std::string check_cell(const Run& run);
/// Why runs are not complete and what complete ones noted: one line each, with the variant.
[[nodiscard]] std::vector<std::string> run_remarks(const std::vector<Run>& runs);
/// Executor, device, cache state and build of the runs that ran, one line for each different set.
[[nodiscard]] std::vector<std::string> environment_lines(const std::vector<Run>& runs);

} // namespace kvprof::analyzers
