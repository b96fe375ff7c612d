#pragma once

#include "cli/output.h"
#include "report/report.h"

namespace kvprof::cli {

/// Writes a report to its place. Of Format::github the annotations go to stdout, the summary to -o
/// or $GITHUB_STEP_SUMMARY and the outputs to $GITHUB_OUTPUT; outside a runner all of it to stdout.
/// @throws UsageError when it can not be written.
void publish(const report::Report& report, Output& output, const CommonOptions& common);

} // namespace kvprof::cli
