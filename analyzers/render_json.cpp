#include "analyzers/render_json.h"

#include "analyzers/limits.h"
#include "analyzers/metrics_of.h"
#include "analyzers/summary.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace kvprof::analyzers {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 2;
/// Times per replay are kept to a thousandth of a nanosecond.
constexpr double kDigits = 1000.0;

std::string document(const Json& json) {
    // Names come from the machine: a byte that is no UTF-8 must not end the program.
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Whole numbers as integers, what is no number as null.
Json number(double value) {
    if (!std::isfinite(value)) {
        return nullptr;
    }
    const double rounded = std::round(value * kDigits) / kDigits;
    if (rounded == std::floor(rounded)) {
        return static_cast<std::int64_t>(rounded);
    }
    return rounded;
}

Json number(const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
}

/// A small real that three decimals would lose.
Json real(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json field_value(const std::string& value) {
    return value;
}

Json field_value(std::int64_t value) {
    return value;
}

Json field_value(double value) {
    return real(value);
}

template<NamedEnum E>
Json field_value(E value) {
    return to_string(value);
}

template<typename Spec>
Json fields(const Spec& spec) {
    Json json = Json::object();
    visit_fields(spec, [&](const FieldInfo& info, const auto& value) {
        json[info.name] = field_value(value);
    });
    return json;
}

Json environment(const Environment& where) {
    Json json = fields(where);
    json["foreign"] = Json::array();
    for (const ForeignProcess& process : where.foreign) {
        json["foreign"].push_back(
            {{"when", process.when}, {"pid", process.pid}, {"bytes", process.bytes}}
        );
    }
    return json;
}

Json samples(const Run& run) {
    Json list = Json::array();
    for (const Sample& sample : run.samples) {
        list.push_back(
            {{"ordinal", sample.ordinal},
             {"replays", sample.replays},
             {"gpu_time_ns", std::int64_t{sample.gpu_time.count()}},
             {"wall_time_ns", std::int64_t{sample.wall_time.count()}},
             {"discarded", sample.discarded ? Json(*sample.discarded) : Json(nullptr)}}
        );
    }
    return list;
}

Json ops(const Run& run) {
    Json list = Json::array();
    for (const OpStat& stat : run.ops) {
        list.push_back(
            {{"op", to_string(stat.op)},
             {"stage", to_string(stat.stage)},
             {"placement", to_string(stat.placement)},
             {"launches", stat.launches},
             {"copies", stat.copies}}
        );
    }
    return list;
}

Json memory(const Run& run) {
    Json list = Json::array();
    for (const MemoryStat& stat : run.memory) {
        list.push_back(
            {{"name", stat.name},
             {"source", to_string(stat.source)},
             {"group", stat.group},
             {"bytes", stat.bytes.count}}
        );
    }
    return list;
}

Json definition(const std::string& id, const MetricDef& metric) {
    return {
        {"id", id},
        {"unit", to_string(metric.unit)},
        {"better", to_string(metric.better)},
        {"kind", to_string(metric.kind)}};
}

Json values(const std::vector<double>& list, const std::optional<Summary>& summary) {
    Json json{{"n", list.size()}, {"values", Json::array()}};
    for (const double value : list) {
        json["values"].push_back(number(value));
    }
    json["min"] = summary ? number(summary->min) : Json(nullptr);
    json["median"] = summary ? number(summary->median) : Json(nullptr);
    json["max"] = summary ? number(summary->max) : Json(nullptr);
    json["mad"] = summary ? number(summary->mad) : Json(nullptr);
    return json;
}

Json metrics(const Run& run) {
    Json list = Json::array();
    for (const Series& series : metrics_of(run)) {
        Json json = definition(series.id, *series.metric);
        json.update(values(series.values, summarise(series.values)));
        list.push_back(std::move(json));
    }
    return list;
}

Json run_object(const Run& run) {
    return {
        {"uuid", run.uuid},
        {"variant", run.variant},
        {"repeat", run.repeat},
        {"position", run.position},
        {"process_id", run.process_id},
        {"started_at", run.started_at},
        {"status",
         {{"state", to_string(run.status.state)},
          {"reason", run.status.reason},
          {"exit_code", run.status.exit_code}}},
        {"step", fields(run.step)},
        {"measure", fields(run.measure)},
        {"environment", environment(run.environment)},
        {"pool",
         {{"schedulable_tokens", run.pool.schedulable_tokens},
          {"state_slots", run.pool.state_slots}}},
        {"check",
         {{"ids_compared", run.check.ids_compared},
          {"attention_error", real(run.check.attention_error)},
          {"attention_rows", run.check.attention_rows}}},
        {"graph_nodes", run.graph_nodes},
        {"cycle_steps", run.cycle_steps},
        {"warmup_replays", run.warmup_replays},
        {"metrics", metrics(run)},
        {"samples", samples(run)},
        {"ops", ops(run)},
        {"memory", memory(run)},
        {"notes", run.notes},
        {"not_measured", limits_of({run})}};
}

Json with_schema(const char* schema, const Json& content) {
    Json json{{"schema", schema}};
    json.update(content);
    return json;
}

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
    json["base"] = values(row.base.values, row.base.summary);
    json["candidate"] = values(row.candidate.values, row.candidate.summary);
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

std::string run_json(const Run& run) {
    return document(with_schema("kvprof.run/1", run_object(run)));
}

std::string experiment_json(const Experiment& experiment) {
    Json json{
        {"schema", "kvprof.experiment/1"},
        {"uuid", experiment.uuid},
        {"started_at", experiment.started_at},
        {"command_line", experiment.command_line},
        {"label", experiment.label},
        {"state", to_string(experiment.state)},
        {"runs", Json::array()}};
    for (const Run& run : experiment.runs) {
        json["runs"].push_back(run_object(run));
    }
    return document(json);
}

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
