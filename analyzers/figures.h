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

/// "index-mode: rectangle -> stream", several joined by "; "; "no field differs" without any.
[[nodiscard]] std::string describe_changes(const std::vector<SpecChange>& changes);
/// "inconclusive (2 improved, 3 same, 1 inconclusive)": the whole, then a count of the rows.
[[nodiscard]] std::string describe_verdict(const Comparison& comparison);
/// What made the sides: "3 + 3 runs; same device" or the number of concerns.
[[nodiscard]] std::string describe_sides(const Comparison& comparison);

/// "12.41 ms", or "12.39 ms .. 12.43 ms" of runs that disagree; "-" without values.
[[nodiscard]] std::string side_cell(const SideValues& values, const MetricDef& metric);
/// "-1", "-1.00 GiB", "new", "gone", "-67.4 %", "0".
[[nodiscard]] std::string change_cell(const Delta& row);
/// "improved", or "-" for a row that is not judged.
[[nodiscard]] std::string verdict_cell(const Delta& row);
/// "exact", "too-few-runs (3 + 3)".
[[nodiscard]] std::string evidence_cell(const Delta& row);

/// Rows worth a line.
struct ShownRows {
    std::vector<const Delta*> judged;
    std::vector<const Delta*> explaining; ///< better in neither direction, and different
    std::size_t left_out = 0;             ///< equal, and would only explain
};

[[nodiscard]] ShownRows shown_rows(const Comparison& comparison);
/// Over the rows that explain.
inline constexpr const char* kExplainsTitle = "explains (not judged)";

/// First 8 digits: enough for a reference, short enough for a table.
[[nodiscard]] std::string short_id(std::string_view uuid);
/// "(as given)" for the empty variant of an experiment in which nothing varies.
[[nodiscard]] std::string variant_name(std::string_view variant);
/// One row a run: id, variant, status, time, launches, nodes, graph bytes, check.
[[nodiscard]] Table run_table(const std::vector<Run>& runs);
/// "65,536 ids equal; attention error 1.2e-07", "none"; no word of ids on the host executor, which
/// is the twin that ids are compared with.
[[nodiscard]] std::string check_cell(const Run& run);
/// Why runs are not complete and what complete ones noted: one line each, with the variant.
[[nodiscard]] std::vector<std::string> run_remarks(const std::vector<Run>& runs);
/// Executor, device, cache state and build of the runs that ran, one line for each different set.
[[nodiscard]] std::vector<std::string> environment_lines(const std::vector<Run>& runs);

} // namespace kvprof::analyzers
