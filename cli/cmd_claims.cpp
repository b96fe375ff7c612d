#include "analyzers/json_values.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"
#include "report/claims_json.h"
#include "report/renderers.h"

namespace kvprof::cli {

namespace {

std::string render(const report::CheckedClaims& claims, Format format) {
    if (format == Format::json) {
        return analyzers::document(
            analyzers::with_schema("kvprof.claims/1", report::claims_object(claims))
        );
    }
    const report::Document document = report::document_of(claims);
    return format == Format::markdown ? report::markdown(document) : report::text(document);
}

} // namespace

ExitCode run(const ClaimsOptions& options) {
    Output output(options.common);
    const report::Report report = report_of(plan_report(options.subject, options.common, false));
    output.write(render(*report.claims, options.common.format));
    return report::exit_code_of(*report.claims);
}

} // namespace kvprof::cli
