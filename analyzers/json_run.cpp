#include "analyzers/json_run.h"

#include "analyzers/json_cost_laws.h"
#include "analyzers/json_profile.h"
#include "analyzers/json_roofline.h"
#include "analyzers/json_traces.h"
#include "analyzers/json_tuning.h"
#include "analyzers/limits.h"
#include "analyzers/metrics_of.h"

namespace kvprof::analyzers {

namespace {

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
             {"copies", stat.copies},
             {"least_bytes", stat.least_bytes ? Json(stat.least_bytes->count) : Json(nullptr)}}
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

Json metrics(const Run& run) {
    Json list = Json::array();
    for (const Series& series : metrics_of(run)) {
        Json json = definition(series.id, *series.metric);
        json.update(values(series.metric->unit, series.values, summarise(series.values)));
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace

Json run_object(const Run& run) {
    Json json{
        {"uuid", run.uuid},
        {"variant", run.variant},
        {"repeat", run.repeat},
        {"position", run.position},
        {"process_id", run.process_id},
        {"started_at", run.started_at},
        {"ab", run.ab ? place_object(*run.ab) : Json(nullptr)},
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
        {"memory", memory(run)}};
    json.update(traces(run));
    if (run.profile) {
        json["profile"] = profile_object(*run.profile);
    }
    json["ceilings"] = ceilings_or_null(run.ceilings);
    json["roofline"] = roofline_object(run);
    json["notes"] = run.notes;
    json["not_measured"] = limits_of({run});
    return json;
}

Json design_or_null(const std::optional<AbDesign>& design) {
    if (!design) {
        return nullptr;
    }
    return {
        {"a", design->a},
        {"b", design->b},
        {"runs", design->runs},
        {"looks", design->looks},
        {"seed", design->seed},
        {"attempt", design->attempt},
        {"treatment", design->treatment}};
}

Json experiment_object(const Experiment& experiment) {
    Json json{
        {"uuid", experiment.uuid},
        {"started_at", experiment.started_at},
        {"command_line", experiment.command_line},
        {"label", experiment.label},
        {"kind", to_string(experiment.kind)},
        {"ab", design_or_null(experiment.ab)},
        {"state", to_string(experiment.state)},
        {"runs", Json::array()}};
    for (const Run& run : experiment.runs) {
        json["runs"].push_back(run_object(run));
    }
    if (experiment.kind == ExperimentKind::tune) {
        json["tuning"] = tuning_object(tuning_of(experiment.runs));
    }
    if (experiment.kind == ExperimentKind::sweep) {
        json["cost_laws"] = cost_laws_object(experiment);
    }
    return json;
}

} // namespace kvprof::analyzers
