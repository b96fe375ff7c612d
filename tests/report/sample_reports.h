#pragma once

#include "report/report.h"

#include <string>
#include <vector>

namespace kvprof::test {

/// Batch 8 is as fast as before, batch 64 is 1.49 % slower (eight pairs each, case V16), and by the
/// policy kvprof.toml: step_time on line 7 (1 %), launches, graph_memory on line 3.
[[nodiscard]] report::Report gate_report(report::Format format);

/// As gate_report(), of batch 64 alone: its case has no name.
[[nodiscard]] report::Report lone_gate_report(report::Format format);

/// A gate of these rows (tests/analyzers/gate_rows.h), by that policy.
[[nodiscard]] report::Report report_of(
    report::Format format, std::vector<analyzers::Delta> rows, const analyzers::Policy& policy
);

/// Rectangle and stream at batch 8, two runs each; a fifth run is void.
[[nodiscard]] report::Report experiment_report(report::Format format);

/// A run that every pass observed.
[[nodiscard]] report::Report run_report(report::Format format);

/// Quotes, newlines, a pipe, backticks, HTML, a control character, bytes that are no UTF-8, and
/// 5,000 letters.
[[nodiscard]] std::string hostile_name();

/// gate_report() with hostile_name() wherever a name is input: cells, variants, kernels (all of
/// which are gated), buffers, the environment, the policy's file and reasons.
[[nodiscard]] report::Report hostile_report(report::Format format);

/// The text with ID for the report's id, and without the line that holds the recipe: what a golden
/// file says of a form must not change with how recipes are written.
[[nodiscard]] std::string without_recipe(const report::Report& report, std::string text);

} // namespace kvprof::test
