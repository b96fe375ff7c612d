#include "cli/timelines.h"

#include "analyzers/missing_timeline.h"
#include "analyzers/step_timeline.h"
#include "capture/model/error.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kvprof::cli {

namespace {

using Runs = std::vector<const Run*>;

UsageError no_timeline(const std::string& reference, std::string_view why, std::string hint) {
    return UsageError(fmt::format("could not export \"{}\": {}", reference, why), std::move(hint));
}

Runs with_events(const std::vector<Run>& runs, const db::Store& store) {
    std::vector<std::string> uuids;
    std::vector<std::string> experiments;
    for (const Run& run : runs) {
        const std::string experiment = store.experiment_of(run.uuid);
        if (std::find(experiments.begin(), experiments.end(), experiment) == experiments.end()) {
            experiments.push_back(experiment);
        }
    }
    for (const std::string& experiment : experiments) {
        for (const db::RunSummary& stored : store.list_runs(experiment)) {
            if (stored.has_events) {
                uuids.push_back(stored.uuid);
            }
        }
    }
    Runs list;
    for (const Run& run : runs) {
        if (std::find(uuids.begin(), uuids.end(), run.uuid) != uuids.end()) {
            list.push_back(&run);
        }
    }
    return list;
}

/// Says why the run has no timeline, or the first of several that have none.
UsageError nothing_to_show(const std::string& reference, const std::vector<Run>& runs) {
    if (runs.empty()) {
        return no_timeline(reference, "it has no run", "kvprof run --passes timing+nodes");
    }
    const analyzers::Missing missing = analyzers::missing_timeline(runs.front());
    if (runs.size() == 1) {
        return no_timeline(reference, missing.cause, missing.hint);
    }
    return no_timeline(
        reference,
        fmt::format(
            "none of its {} runs has a timeline; the first ({}): {}",
            runs.size(),
            runs.front().variant,
            missing.cause
        ),
        missing.hint
    );
}

UsageError several(const std::string& reference, const Runs& runs) {
    std::string list;
    for (const Run* run : runs) {
        list += fmt::format(
            "\n  {}  {}{}repeat {}",
            run->uuid.substr(0, 8),
            run->variant,
            run->variant.empty() ? "" : ", ",
            run->repeat
        );
    }
    return no_timeline(
        reference,
        fmt::format(
            "{} of its runs have a timeline, and one is written at a time:{}", runs.size(), list
        ),
        "name one by its id, or by its fields as in REF/batch=8; kvprof report --format perfetto "
        "shows both sides of an A/B experiment"
    );
}

Run loaded(const Run& run, const db::Store& store) {
    Run whole = run;
    whole.events = store.load_events(run.uuid);
    return whole;
}

Run lone_timeline(
    const std::vector<Run>& runs, const std::string& reference, const db::Store& store
) {
    const Runs list = with_events(runs, store);
    if (list.empty()) {
        throw nothing_to_show(reference, runs);
    }
    if (list.size() > 1) {
        throw several(reference, list);
    }
    return loaded(*list.front(), store);
}

void add_sides(const ReportPlan& plan, report::Judged& judged) {
    const std::vector<analyzers::Comparison>& cases = judged.gate.cases;
    const std::string& reference = plan.recipe.sides.front().label;
    if (cases.size() != 1) {
        throw no_timeline(
            reference,
            fmt::format("it has {} cases, and one is written at a time", cases.size()),
            "name one by its fields, as in REF/batch=8"
        );
    }
    const std::filesystem::path& second = plan.stores.back();
    const std::pair sides{&cases[0].base, &cases[0].candidate};
    for (const auto& [side, path] :
         {std::pair{sides.first, plan.stores.front()}, std::pair{sides.second, second}}) {
        const db::Store store(path, db::OpenMode::read);
        const Runs list = with_events(side->runs, store);
        if (list.empty()) {
            throw nothing_to_show(side->label, side->runs);
        }
        judged.timelines.push_back(loaded(*list.front(), store));
    }
}

/// A side of what a page shows.
struct DrawnSide {
    std::string name; ///< "base: main"
    const std::vector<Run>* runs = nullptr;
    const std::filesystem::path* store = nullptr;
};

std::vector<DrawnSide> sides_to_draw(const ReportPlan& plan, const report::Judged& judged) {
    if (judged.gate.cases.size() != 1) {
        return {};
    }
    const analyzers::Comparison& only = judged.gate.cases.front();
    return {
        {"base: " + only.base.label, &only.base.runs, &plan.stores.front()},
        {"candidate: " + only.candidate.label, &only.candidate.runs, &plan.stores.back()}};
}

std::vector<analyzers::StepTimeline>
steps_of_sides(const ReportPlan& plan, const report::Judged& judged) {
    std::vector<analyzers::StepTimeline> timelines;
    for (const DrawnSide& side : sides_to_draw(plan, judged)) {
        const db::Store store(*side.store, db::OpenMode::read);
        if (const Runs list = with_events(*side.runs, store); !list.empty()) {
            timelines.push_back(
                analyzers::step_timeline(loaded(*list.front(), store), side.name, plan.recipe.step)
            );
        }
    }
    return timelines;
}

std::vector<analyzers::StepTimeline> step_of_run(const ReportPlan& plan, const Run& run) {
    const db::Store store(plan.stores.front(), db::OpenMode::read);
    if (with_events({run}, store).empty()) {
        return {};
    }
    return {analyzers::step_timeline(loaded(run, store), "", plan.recipe.step)};
}

} // namespace

void add_timelines(const ReportPlan& plan, report::Report& report) {
    if (auto* const judged = std::get_if<report::Judged>(&report.subject)) {
        add_sides(plan, *judged);
        return;
    }
    const db::Store store(plan.stores.front(), db::OpenMode::read);
    const std::string& reference = plan.recipe.sides.front().label;
    if (const auto* const run = std::get_if<Run>(&report.subject)) {
        report.subject = lone_timeline({*run}, reference, store);
    } else {
        const Experiment experiment = std::get<Experiment>(report.subject);
        report.subject = lone_timeline(experiment.runs, reference, store);
    }
}

bool draws_steps(Format format) {
    return format == Format::html || format == Format::json;
}

std::vector<analyzers::StepTimeline>
step_timelines(const ReportPlan& plan, const report::Report& report) {
    std::vector<analyzers::StepTimeline> timelines;
    if (const auto* const judged = std::get_if<report::Judged>(&report.subject)) {
        timelines = steps_of_sides(plan, *judged);
    } else if (const auto* const run = std::get_if<Run>(&report.subject)) {
        timelines = step_of_run(plan, *run);
    } else if (const auto& runs = std::get<Experiment>(report.subject).runs; runs.size() == 1) {
        timelines = step_of_run(plan, runs.front());
    }
    if (timelines.empty() && plan.recipe.step) {
        throw UsageError(
            fmt::format(
                "could not show step {} of \"{}\": it is not one run or one case whose records "
                "were kept",
                *plan.recipe.step,
                plan.recipe.sides.front().label
            ),
            "kvprof import --keep-events N keeps the records of N steps, and so does kvprof run "
            "--passes timing+nodes --keep-events N"
        );
    }
    return timelines;
}

} // namespace kvprof::cli
