#include "report/report_object.h"

#include "analyzers/json_run.h"
#include "report/claims_json.h"

namespace kvprof::report {

namespace {

using analyzers::Json;

Json head(const ExperimentHead& experiment) {
    return {
        {"uuid", experiment.uuid},
        {"started_at", experiment.started_at},
        {"command_line", experiment.command_line},
        {"label", experiment.label},
        {"kind", to_string(experiment.kind)},
        {"design", analyzers::design_or_null(experiment.ab)}};
}

} // namespace

std::vector<ExperimentHead> experiments_of(const Report& report) {
    if (const auto* judged = std::get_if<Judged>(&report.subject)) {
        return judged->experiments;
    }
    if (const auto* one = std::get_if<Experiment>(&report.subject)) {
        return {{one->uuid, one->started_at, one->command_line, one->label, one->kind, one->ab}};
    }
    return {};
}

Json report_object(const Report& report) {
    Json json{
        {"id", report_id(report.recipe)},
        {"tool", {{"name", "kvprof"}, {"version", report.tool.version}}},
        {"recipe", Json::parse(recipe_json(report.recipe))},
        {"claims", report.claims ? claims_object(*report.claims) : Json(nullptr)},
        {"experiments", Json::array()}};
    for (const ExperimentHead& experiment : experiments_of(report)) {
        json["experiments"].push_back(head(experiment));
    }
    return json;
}

} // namespace kvprof::report
