#include "analyzers/imported_runs.h"
#include "analyzers/json_profile.h"
#include "analyzers/json_values.h"
#include "analyzers/kernel_sides.h"
#include "analyzers/run_lists.h"

namespace kvprof::analyzers {

namespace {

/// @param number of the step, in its rank
Json step_row(const std::string& rank, std::int64_t number, const ProfileStep& step) {
    Json json{{"rank", rank}, {"step", number}};
    json.update(step_object(step));
    json["records"] = nullptr;
    return json;
}

/// The nodes pass counts records and has no calls.
Json traced_row(const StepRecord& step) {
    ProfileStep known;
    known.duration = step.span;
    known.kernel_sum = step.busy_sum;
    Json json = step_row("", step.step, known);
    for (const char* unknown : {"start_ns", "launches", "graph_launches", "kernels"}) {
        json[unknown] = nullptr;
    }
    json["records"] = step.records;
    return json;
}

Json steps_of(const Run& run) {
    Json steps = Json::array();
    if (!is_imported(run)) {
        for (const StepRecord& step : run.step_records) {
            steps.push_back(traced_row(step));
        }
        return steps;
    }
    for (const ProfileRank& rank : run.profile->ranks) {
        std::int64_t number = 0;
        for (const ProfileStep& step : rank.steps) {
            steps.push_back(step_row(rank.rank, number++, step));
        }
    }
    return steps;
}

Json kernels_of(const Run& run) {
    Json kernels = Json::array();
    for (const KernelStat* kernel : kernels_by_time(run)) {
        kernels.push_back(
            {{"name", full_name(*kernel)},
             {"op", kernel->op ? Json(to_string(*kernel->op)) : Json(nullptr)},
             {"placement", placement_of(kernel->op, kernel->placement)},
             {"kind", to_string(kernel->kind)},
             {"launches", kernel->launches},
             {"time_ns", whole(kernel->time)},
             {"shortest_ns", whole(kernel->shortest)},
             {"longest_ns", whole(kernel->longest)}}
        );
    }
    return kernels;
}

Json of_run(const Run& run, RunList list) {
    const Section section = list_of(run, list);
    Json json{
        {"uuid", run.uuid},
        {"variant", run.variant},
        {"why_none", section.table ? Json(nullptr) : Json(section.lines.front())}};
    if (list == RunList::kernels) {
        json["kernels"] = kernels_of(run);
        return json;
    }
    json["rule"] = is_imported(run) ? Json(run.profile->step_rule) : Json(nullptr);
    json["steps"] = steps_of(run);
    return json;
}

} // namespace

std::string lists_json(const std::vector<Run>& runs, RunList list) {
    const bool is_of_steps = list == RunList::steps;
    Json json{
        {"schema", is_of_steps ? "kvprof.steps/1" : "kvprof.kernels/1"}, {"runs", Json::array()}};
    for (const Run& run : runs) {
        json["runs"].push_back(of_run(run, list));
    }
    return document(json);
}

} // namespace kvprof::analyzers
