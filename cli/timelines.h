#pragma once

#include "cli/report_plan.h"
#include "report/report.h"

namespace kvprof::cli {

/// Gives a report the records of its timeline: of runs, the one that has some becomes its subject;
/// of a lone case, the first run of each side that has some.
/// @throws UsageError when none has, saying what gives some, when several runs have, or for several
/// cases.
void add_timelines(const ReportPlan& plan, report::Report& report);

} // namespace kvprof::cli
