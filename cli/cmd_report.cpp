#include "capture/model/error.h"
#include "cli/bundle_place.h"
#include "cli/commands.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"
#include "cli/timelines.h"
#include "db/bundle.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

namespace kvprof::cli {

namespace {

UsageError not_attached(const std::string& why, const std::string& hint) {
    return UsageError("could not attach the runs: " + why, hint);
}

void require_drawn(const ReportOptions& options) {
    if (options.step && !draws_steps(options.common.format)) {
        throw UsageError(
            fmt::format(
                "could not show step {}: the form {} has no timeline of one step",
                *options.step,
                to_string(options.common.format)
            ),
            "--format html draws it, and json has its figures"
        );
    }
}

/// @throws UsageError when there is no place for a bundle.
std::filesystem::path place_of(const CommonOptions& common) {
    if (!common.output) {
        throw not_attached("the report goes to stdout", "name a file with -o FILE");
    }
    std::filesystem::path bundle = bundle_beside(*common.output);
    if (bundle == *common.output) {
        throw not_attached(
            fmt::format("the report itself would be {}", bundle.string()),
            "name the report by its form, as in -o pr.md"
        );
    }
    return bundle;
}

void require_one_store(const ReportPlan& plan) {
    for (const std::filesystem::path& store : plan.stores) {
        if (store != plan.store) {
            throw not_attached(
                fmt::format("they lie in {} and in {}", store.string(), plan.store.string()),
                "kvprof merge puts them into one store, and --db names it"
            );
        }
    }
}

/// The runs that the report was made from, whatever its references name by now.
void attach(const ReportPlan& plan, const std::filesystem::path& bundle) {
    const db::Store store(plan.store, db::OpenMode::read);
    std::vector<db::Selection> selections;
    for (const report::RecipeRuns& side : plan.recipe.sides) {
        db::Selection selection{side.label, plan.store, side.experiment, side.runs};
        if (selection.runs.empty()) {
            for (const db::RunSummary& run : store.list_runs(side.experiment)) {
                selection.runs.push_back(run.uuid);
            }
        }
        selections.push_back(std::move(selection));
    }
    static_cast<void>(db::export_bundle(store, selections, bundle, {}));
}

} // namespace

ExitCode run(const ReportOptions& options) {
    std::filesystem::path bundle;
    if (options.attaches) {
        bundle = place_of(options.common);
    }
    require_drawn(options);
    Output output(options.common);
    ReportPlan plan = plan_report(options.subject, options.common, options.is_listing);
    plan.recipe.step = options.step;
    if (options.attaches) {
        require_one_store(plan);
    }
    const report::Report report = report_of(plan);
    if (options.attaches) {
        attach(plan, bundle); // first: a report without its runs would be checked against old ones
    }
    publish(report, output, options.common);
    return ExitCode::done;
}

} // namespace kvprof::cli
