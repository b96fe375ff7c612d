#pragma once

#include "cli/report_plan.h"
#include "report/report.h"

namespace kvprof::cli {

/// Loads what the plan's recipe names, compares and judges it. The recipe of the report holds what
/// was used: calibrations that say nothing of its runs are left out of it.
/// @throws UsageError for runs that the store does not hold, naming the first.
[[nodiscard]] report::Report report_of(ReportPlan plan);

/// The comparison that it is. @throws UsageError when it is none.
[[nodiscard]] const report::Judged& comparison_of(const report::Report& report);

} // namespace kvprof::cli
