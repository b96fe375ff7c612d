#pragma once

#include "report/document.h"
#include "report/report.h"

#include <cstddef>
#include <string>

namespace kvprof::report {

// The renderers behind render(), one a format. Pure: the same report gives the same bytes.

/// For a terminal: no colour, a newline at the end. It carries no recipe, and so no word of a
/// check.
[[nodiscard]] std::string text(const Document& document);
/// A table alone.
[[nodiscard]] std::string text(const analyzers::Table& table);

/// What GitHub takes as the body of a pull request or a comment, in characters.
inline constexpr std::size_t kGithubBody = 65'536;

/// GitHub-flavoured Markdown of at most `room` characters. Where there is more, rows of long tables
/// are left out from the bottom and parts from the last one on, and the text says how many; the
/// head and what was not measured are shortened last. @pre room >= 4096
[[nodiscard]] std::string markdown(const Document& document, std::size_t room = kGithubBody);
/// A table alone, whole.
[[nodiscard]] std::string markdown(const analyzers::Table& table);
/// The first table of the document and its verdict.
[[nodiscard]] std::string markdown_table(const Document& document, std::size_t room = kGithubBody);

/// One self-contained page: no network, readable without scripts.
[[nodiscard]] std::string html_page(const Report& report);

/// kvprof.run/1, experiment/1, comparison/1, comparisons/1, pairs/1 or gate/1 with a member
/// "report": tool, id, recipe and claims.
[[nodiscard]] std::string json_document(const Report& report);
/// One JSON object a line: a head, then one line a run and one a metric's row.
[[nodiscard]] std::string json_lines(const Report& report);
/// RFC 4180, the table that the recipe names.
[[nodiscard]] std::string csv_table(const Report& report);

/// A suite a case, a test a gated row. @pre something is judged
[[nodiscard]] std::string junit_xml(const Report& report);
/// For a text-file collector: gauges in base units (seconds, bytes), "# EOF" last.
[[nodiscard]] std::string openmetrics_text(const Report& report);
/// One entry a run, so that compare.py tests them.
[[nodiscard]] std::string gbench_json(const Report& report);
[[nodiscard]] std::string bmf_json(const Report& report);
/// Go's benchmark format, one line a run.
[[nodiscard]] std::string benchstat_text(const Report& report);
/// Of the tool customSmallerIsBetter.
[[nodiscard]] std::string github_action_benchmark_json(const Report& report);
/// Chrome trace events of the kept steps; of a comparison both sides beside each other, each
/// aligned on the start of its first step.
[[nodiscard]] std::string perfetto_trace(const Report& report);

} // namespace kvprof::report
