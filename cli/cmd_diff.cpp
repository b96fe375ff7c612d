#include "analyzers/cases.h"
#include "cli/commands.h"
#include "cli/judging.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"

namespace kvprof::cli {

ExitCode run(const DiffOptions& options) {
    Output output(options.common);
    const report::Report report = report_of(plan_report(options.subject, options.common, false));
    const std::vector<analyzers::Comparison>& cases = comparison_of(report).gate.cases;
    publish(report, output, options.common);
    if (options.sets_exit_code) {
        return analyzers::exit_code_of(cases);
    }
    return is_nothing_comparable(cases) ? ExitCode::not_comparable : ExitCode::done;
}

} // namespace kvprof::cli
