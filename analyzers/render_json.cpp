#include "analyzers/render_json.h"

#include "analyzers/json_values.h"

namespace kvprof::analyzers {

namespace {

Json side(const Side& side) {
    Json json{
        {"label", side.label},
        {"step", fields(side.step)},
        {"measure", fields(side.measure)},
        {"environment",
         side.runs.empty() ? Json(nullptr) : environment(side.runs.front().environment)},
        {"runs", Json::array()},
        {"excluded", Json::array()}};
    for (const Run& run : side.runs) {
        json["runs"].push_back(run.uuid);
    }
    for (const ExcludedRun& run : side.excluded) {
        json["excluded"].push_back(
            {{"uuid", run.uuid}, {"state", to_string(run.state)}, {"reason", run.reason}}
        );
    }
    return json;
}

Json delta(const Delta& row) {
    Json json = definition(row.id, *row.metric);
    json["base"] = values(row.metric->unit, row.base.values, row.base.summary);
    json["candidate"] = values(row.metric->unit, row.candidate.values, row.candidate.summary);
    json["difference"] = number(row.difference);
    json["ratio"] = real(row.ratio);
    json["verdict"] = row.verdict ? Json(to_string(*row.verdict)) : Json(nullptr);
    json["reason"] = row.reason;
    return json;
}

Json comparison_object(const Comparison& comparison) {
    Json json{
        {"verdict", to_string(comparison.verdict)},
        {"exit_code", static_cast<int>(exit_code_of(comparison))},
        {"treatment", Json::array()},
        {"concerns", Json::array()},
        {"metrics", Json::array()},
        {"base", side(comparison.base)},
        {"candidate", side(comparison.candidate)},
        {"notes", comparison.notes},
        {"not_measured", comparison.not_measured}};
    for (const SpecChange& change : comparison.spec_changes) {
        json["treatment"].push_back(
            {{"field", change.name}, {"base", change.base}, {"candidate", change.candidate}}
        );
    }
    for (const Concern& concern : comparison.concerns) {
        json["concerns"].push_back(
            {{"severity", to_string(concern.severity)},
             {"field", concern.field},
             {"text", concern.text}}
        );
    }
    for (const Delta& row : comparison.deltas) {
        json["metrics"].push_back(delta(row));
    }
    return json;
}

} // namespace

std::string comparison_json(const Comparison& comparison) {
    return document(with_schema("kvprof.comparison/1", comparison_object(comparison)));
}

std::string pairs_json(const PairedComparison& comparison) {
    Json json{
        {"schema", "kvprof.pairs/1"},
        {"field", comparison.field},
        {"exit_code", static_cast<int>(exit_code_of(comparison))},
        {"pairs", Json::array()},
        {"unpaired", Json::array()}};
    for (const PairedComparison::Cell& cell : comparison.cells) {
        json["pairs"].push_back(
            {{"cell", cell.cell}, {"comparison", comparison_object(cell.comparison)}}
        );
    }
    for (const Unpaired& variant : comparison.unpaired) {
        json["unpaired"].push_back({{"variant", variant.variant}, {"reason", variant.reason}});
    }
    return document(json);
}

std::string listing_json(const std::vector<ListingRow>& rows) {
    Json json{{"schema", "kvprof.listing/1"}, {"experiments", Json::array()}};
    for (const ListingRow& row : rows) {
        json["experiments"].push_back(
            {{"uuid", row.uuid},
             {"started_at", row.started_at},
             {"state", to_string(row.state)},
             {"runs", row.runs},
             {"complete_runs", row.complete_runs},
             {"variants", row.variants},
             {"label", row.label},
             {"tags", row.tags},
             {"command_line", row.command_line}}
        );
    }
    return document(json);
}

} // namespace kvprof::analyzers
