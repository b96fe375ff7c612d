#pragma once

#include "analyzers/compare.h"
#include "analyzers/section.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

// Sections of a report on two sides. Each may be empty.

/// The rows that decide the whole. Without a title: it follows the verdict.
[[nodiscard]] Section primary_section(const Comparison& comparison);
/// Why rows are inconclusive, and what would decide them.
[[nodiscard]] Section undecided_section(const Comparison& comparison);
[[nodiscard]] Section judged_section(const Comparison& comparison);
[[nodiscard]] Section explaining_section(const Comparison& comparison);
/// At most kMostKernels, of imported sides kMostProfileKernels, that changed, decided ones first;
/// the others are counted. The policy says by which rate kernels are decided.
[[nodiscard]] Section kernel_deltas_section(const Comparison& comparison, const Policy& policy);
/// What the change of the step is made of, without ledger_line().
[[nodiscard]] Section ledger_delta_section(const Comparison& comparison);
/// "kernels account for +171.0 us of +185.0 us [+175.1, +195.0]; ..."; empty without ledgers.
[[nodiscard]] std::string ledger_line(const Comparison& comparison);
/// "controls: 12 kernels with equal code and geometry moved by +0.02 % (n 8+8)"; empty without any.
[[nodiscard]] std::string controls_line(const Comparison& comparison);
/// Every value of the judged sampled rows, one a run; what looks odd is marked.
[[nodiscard]] Section values_section(const Comparison& comparison);
/// Test, p-values and interval of every tested row.
[[nodiscard]] Section method_section(const Comparison& comparison);
/// Whether a remark says what so few runs can not decide: undecided_section() has it.
[[nodiscard]] bool is_about_few_runs(std::string_view remark);
/// What else rows remark: values that look odd, the same change in cycles.
[[nodiscard]] std::vector<std::string> row_remarks(const Comparison& comparison);
/// Severity and text.
[[nodiscard]] std::vector<std::string> concern_lines(const std::vector<Concern>& concerns);

inline constexpr std::size_t kMostKernels = 12;
inline constexpr std::size_t kMostProfileKernels = 40; ///< of imported sides: an engine has more

/// "change, 95 % interval": with the level that the intervals of this design are made for.
[[nodiscard]] std::string interval_title(const Comparison& comparison);
/// The columns of primary_section() and the cells of a row: a table over several cases puts its own
/// before. @param change interval_title() of them
[[nodiscard]] std::vector<Column> delta_columns(std::string change);
[[nodiscard]] std::vector<Cell> delta_cells(const Delta& row);

} // namespace kvprof::analyzers
