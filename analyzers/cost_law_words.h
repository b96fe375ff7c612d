#pragma once

#include "analyzers/cost_laws.h"

#include <string>

namespace kvprof::analyzers {

// Cells and sentences about cost laws that all forms share.

/// "live tokens", "max-batch": what the work of a step counts along an axis.
[[nodiscard]] std::string work_words(SweepAxis axis);
/// "live token", "lane of max-batch": what `slope` of a time law counts.
[[nodiscard]] std::string work_unit(SweepAxis axis);
/// "the step", "token-stream alone", "build_page_table".
[[nodiscard]] std::string subject_words(const LawSubject& subject);
/// The median time of the points at the smallest or the largest value: "158.5 us".
[[nodiscard]] std::string shortest_cell(const TimeLaw& law);
[[nodiscard]] std::string longest_cell(const TimeLaw& law);

/// "12.4 us [11.9 us, 12.9 us]", "0.0121 [0.012, 0.0122]" in ns, "0.9980 [0.9700, 1.0260]"; "-"
/// without.
[[nodiscard]] std::string intercept_cell(const std::optional<stats::Coefficient>& intercept);
[[nodiscard]] std::string slope_cell(const std::optional<stats::Coefficient>& slope);
[[nodiscard]] std::string elasticity_cell(const std::optional<stats::Coefficient>& elasticity);

/// Of a fit; nothing without one.
[[nodiscard]] std::optional<stats::Coefficient>
coefficient(const std::optional<stats::LineFit>& fit, stats::Coefficient stats::LineFit::*which);

/// "4 points", "2 of 5 points; 131,072: not-run: could not fit the step: ...".
[[nodiscard]] std::string points_words(const TimeLaw& law, const AxisRuns& axis);

/// "shape-blind: build_page_table (page-table, out): elasticity 0.0022 [-0.0004, 0.0048] in live
/// tokens, 158.50 us at seq-len 1,024 and 160.20 us at 131,072, up to 24.1 % of the step".
[[nodiscard]] std::string flag_sentence(const TimeLaw& law);
/// "capacity-bound: buffer table (graph): 1.00 GiB, grows with max-context, max-batch while live
/// tokens stay".
[[nodiscard]] std::string flag_sentence(const ByteLaw& law);

/// "constant", "pool", "max-context, max-batch".
[[nodiscard]] std::string follows_words(const ByteLaw& law);
/// "max-context: 0 B + 1024 B each; page-size: no line, elasticity -1.000": of the axes that move
/// it.
[[nodiscard]] std::string lines_words(const ByteLaw& law);

} // namespace kvprof::analyzers
