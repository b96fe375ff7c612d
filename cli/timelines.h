#pragma once

#include "cli/report_plan.h"
#include "report/report.h"

#include <vector>

namespace kvprof::cli {

/// Gives a report the records of its timeline: of runs, the one that has some becomes its subject;
/// of a lone case, the first run of each side that has some.
/// @throws UsageError when none has, saying what gives some, when several runs have, or for several
/// cases.
void add_timelines(const ReportPlan& plan, report::Report& report);

/// Whether the form shows one step of each side.
[[nodiscard]] bool draws_steps(Format format);

/// The step of each side that a page shows, the recipe's or the one of median length: of a run its
/// own; of a lone case, of the first run of each side that has records. None where no run has, and
/// of several runs or cases.
/// @throws UsageError when the recipe names a step that is not there: what was kept, and how more
/// is.
[[nodiscard]] std::vector<analyzers::StepTimeline>
step_timelines(const ReportPlan& plan, const report::Report& report);

} // namespace kvprof::cli
