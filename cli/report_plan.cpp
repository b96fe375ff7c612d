#include "cli/report_plan.h"

#include "capture/model/error.h"
#include "cli/embedded_files.h"
#include "cli/judging.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"
#include "db/variant_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace kvprof::cli {

namespace {

/// More runs than these are named by their experiment alone: a report has to fit its place.
constexpr std::size_t kMostNamed = 64;

bool is_baseline(const std::string& reference) {
    return reference.starts_with("baseline/");
}

report::RecipeRuns recipe_runs(const db::Selection& selection) {
    report::RecipeRuns side{selection.reference, selection.experiment, selection.runs};
    if (side.runs.size() > kMostNamed && !side.experiment.empty()) {
        const db::Store store(selection.store, db::OpenMode::read);
        if (store.list_runs(side.experiment).size() == side.runs.size()) {
            side.runs.clear();
        }
    }
    return side;
}

/// The field filters of two references name what differs on purpose: "REF/batch=8" and
/// "REF/batch=64" declare batch.
void declare_filters(const std::vector<std::string>& references, report::Recipe& recipe) {
    const std::vector<Param> others = db::split_reference(references[1]).fields;
    for (const Param& field : db::split_reference(references[0]).fields) {
        const bool is_in_both = std::any_of(others.begin(), others.end(), [&](const Param& other) {
            return other.name == field.name;
        });
        if (is_in_both) {
            recipe.treatment.push_back(field.name);
        }
    }
}

void refuse_baseline_as_candidate(const std::string& reference) {
    if (is_baseline(reference)) {
        throw UsageError(
            fmt::format("could not compare with {} as the candidate", reference),
            "a baseline is a base: name it first"
        );
    }
}

} // namespace

ReportPlan
plan_report(const SubjectOptions& subject, const CommonOptions& common, bool is_listing) {
    ReportPlan plan{
        .recipe = recipe_of(subject.judge), .stores = {}, .store = store_path_of(common)};
    report::Recipe& recipe = plan.recipe;
    recipe.format = common.format;
    recipe.table = common.table;
    recipe.by = subject.by;
    recipe.is_listing = is_listing;
    if (subject.claims) {
        recipe.claims = claims_file(*subject.claims);
    }
    if (subject.references.size() > 1) {
        refuse_baseline_as_candidate(subject.references[1]);
        recipe.is_stored_baseline = is_baseline(subject.references[0]);
        declare_filters(subject.references, recipe);
    }
    for (const std::string& reference : subject.references) {
        const db::Selection selection = db::select(plan.store, reference);
        recipe.sides.push_back(recipe_runs(selection));
        plan.stores.push_back(selection.store);
    }
    plan.finds_calibrations = !is_listing;
    return plan;
}

ReportPlan plan_experiment(
    const std::string& experiment,
    const std::filesystem::path& store,
    const JudgeOptions& judge,
    const CommonOptions& common
) {
    ReportPlan plan{.recipe = recipe_of(judge), .stores = {store}, .store = store};
    plan.recipe.format = common.format;
    plan.recipe.table = common.table;
    db::Selection selection{experiment, store, experiment, {}};
    for (const db::RunSummary& run : db::Store(store, db::OpenMode::read).list_runs(experiment)) {
        selection.runs.push_back(run.uuid);
    }
    plan.recipe.sides.push_back(recipe_runs(selection));
    plan.finds_calibrations = true;
    return plan;
}

} // namespace kvprof::cli
