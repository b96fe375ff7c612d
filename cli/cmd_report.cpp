#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"
#include "db/bundle.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

namespace kvprof::cli {

namespace {

/// The bundle that stands beside a report: "pr.db" of "pr.md".
std::filesystem::path bundle_beside(const CommonOptions& common) {
    if (!common.output) {
        throw UsageError(
            "could not attach the runs: the report goes to stdout", "name a file with -o FILE"
        );
    }
    std::filesystem::path bundle = *common.output;
    if (common.is_gzip) {
        bundle.replace_extension();
    }
    return bundle.replace_extension(".db");
}

void attach(const ReportOptions& options, const ReportPlan& plan) {
    const std::filesystem::path bundle = bundle_beside(options.common);
    for (const std::filesystem::path& store : plan.stores) {
        if (store != plan.store) {
            throw UsageError(
                fmt::format(
                    "could not attach the runs: they lie in two stores, one is {}", store.string()
                ),
                "kvprof merge puts them into one"
            );
        }
    }
    const db::Store store(plan.store, db::OpenMode::read);
    std::vector<db::Selection> selections;
    for (const std::string& reference : options.subject.references) {
        selections.push_back(db::resolve(store, reference));
    }
    static_cast<void>(db::export_bundle(store, selections, bundle, {}));
}

} // namespace

ExitCode run(const ReportOptions& options) {
    if (options.attaches) {
        static_cast<void>(bundle_beside(options.common));
    }
    Output output(options.common);
    const ReportPlan plan = plan_report(options.subject, options.common, options.is_listing);
    publish(report_of(plan), output, options.common);
    if (options.attaches) {
        attach(options, plan);
    }
    return ExitCode::done;
}

} // namespace kvprof::cli
