#include "analyzers/json_traces.h"

#include "analyzers/executable_cost.h"
#include "analyzers/pass_times.h"
#include "analyzers/time_ledger.h"

namespace kvprof::analyzers {

namespace {

/// One object for each row of a list.
template<typename Rows, typename Object>
Json list_of(const Rows& rows, Object&& object) {
    Json list = Json::array();
    for (const auto& row : rows) {
        list.push_back(object(row));
    }
    return list;
}

Json host_times(const Run& run) {
    if (!run.host_times) {
        return nullptr;
    }
    return {
        {"steps", run.host_times->steps},
        {"before_ns", whole(run.host_times->before)},
        {"launch_ns", whole(run.host_times->launch)},
        {"after_ns", whole(run.host_times->after)}};
}

Json state(const DeviceState& state) {
    return {
        {"when", state.when},
        {"sm_clock_mhz", whole(state.sm_clock_mhz)},
        {"memory_clock_mhz", whole(state.memory_clock_mhz)},
        {"temperature_c", whole(state.temperature_c)},
        {"power_mw", whole(state.power_mw)},
        {"event_reasons", whole(state.event_reasons)},
        {"used_bytes", whole(state.used_bytes)},
        {"utilization_percent", whole(state.utilization_percent)}};
}

Json condition(const Condition& condition) {
    return {
        {"kind", to_string(condition.kind)},
        {"pass", to_string(condition.pass)},
        {"is_void", is_void(condition.kind)},
        {"detail", condition.detail}};
}

Json batch(const TracedBatch& batch) {
    return {
        {"ordinal", batch.ordinal},
        {"steps", batch.steps},
        {"gpu_time_ns", whole(batch.gpu_time)},
        {"wall_time_ns", whole(batch.wall_time)},
        {"recorded_ns", whole(batch.recorded)}};
}

Json pass(const PassResult& pass) {
    return {
        {"pass", to_string(pass.pass)},
        {"failure", pass.failure},
        {"steps", pass.steps},
        {"graphs", pass.graphs},
        {"records", pass.records},
        {"dropped", pass.dropped},
        {"untimed", pass.untimed},
        {"orphans", pass.orphans},
        {"by_node", pass.by_node},
        {"by_launch", pass.by_launch},
        {"unattributed", pass.unattributed},
        {"nodes_cross_checked", pass.nodes_cross_checked},
        {"batches", list_of(pass.batches, batch)}};
}

Json call(const ApiStat& stat) {
    return {
        {"call", stat.call},
        {"kind", to_string(stat.kind)},
        {"role", to_string(stat.role)},
        {"op", stat.op ? Json(to_string(*stat.op)) : Json(nullptr)},
        {"is_captured", stat.is_captured},
        {"calls", stat.calls},
        {"failed", stat.failed}};
}

Json kernel(const KernelStat& stat) {
    return {
        {"op", stat.op ? Json(to_string(*stat.op)) : Json(nullptr)},
        {"placement", placement_of(stat.op, stat.placement)},
        {"kind", to_string(stat.kind)},
        {"copy", to_string(stat.copy)},
        {"name", stat.name},
        {"grid", stat.grid},
        {"block", stat.block},
        {"registers", stat.registers},
        {"static_shared_bytes", stat.static_shared_bytes},
        {"dynamic_shared_bytes", stat.dynamic_shared_bytes},
        {"local_bytes", stat.local_bytes},
        {"launches", stat.launches},
        {"time_ns", whole(stat.time)},
        {"shortest_ns", whole(stat.shortest)},
        {"longest_ns", whole(stat.longest)},
        {"blocks", stat.blocks},
        {"blocks_with_work", whole(stat.blocks_with_work)}};
}

Json op_sample(const OpSample& sample) {
    return {
        {"step", sample.step},
        {"op", to_string(sample.op)},
        {"placement", to_string(sample.placement)},
        {"records", sample.records},
        {"time_ns", whole(sample.time)}};
}

Json step_record(const StepRecord& step) {
    return {
        {"step", step.step},
        {"batch", step.batch},
        {"records", step.records},
        {"span_ns", whole(step.span)},
        {"busy_sum_ns", whole(step.busy_sum)},
        {"busy_union_ns", whole(step.busy_union)},
        {"tail_ns", whole(step.tail)}};
}

Json event(const KernelEvent& event) {
    return {
        {"step", event.step},
        {"kernel", event.kernel},
        {"stream", event.stream},
        {"node", event.node},
        {"start_ns", whole(event.start)},
        {"duration_ns", whole(event.duration)},
        {"rank", event.rank},
        {"device", event.device}};
}

Json mark(const MarkReading& reading) {
    return {
        {"mark", to_string(reading.mark)},
        {"source", to_string(reading.source)},
        {"bytes", reading.bytes.count}};
}

Json executable(const ExecutablePoint& point) {
    return {
        {"executables", point.executables},
        {"kernel_nodes", point.kernel_nodes},
        {"taken_bytes", point.taken.count}};
}

Json time_line(const TimeLine& line) {
    return {
        {"part", to_string(line.part)},
        {"op", line.op ? Json(to_string(*line.op)) : Json(nullptr)},
        {"placement", line.placement ? Json(to_string(*line.placement)) : Json(nullptr)},
        {"ns", estimate(line.ns)}};
}

Json ledger(const Run& run) {
    const std::optional<TimeLedger> ledger = time_ledger(run);
    if (!ledger) {
        return nullptr;
    }
    return {
        {"steps", ledger->steps},
        {"batches", ledger->batches},
        {"records", number(ledger->records)},
        {"parts", list_of(ledger->parts, time_line)},
        {"traced_step_ns", estimate(ledger->traced)},
        {"unexplained_limit_ns", number(ledger->unexplained_limit)},
        {"is_finding", ledger->is_finding()},
        {"untraced_step_ns", ledger->untraced ? estimate(*ledger->untraced) : Json(nullptr)},
        {"tracing_cost_ns", number(ledger->tracing_cost())},
        {"profiler_overhead", real(ledger->overhead())},
        {"warnings", ledger->warnings}};
}

Json pass_time(const PassTime& time) {
    return {
        {"pass", to_string(time.pass)},
        {"steps", time.steps},
        {"step_ns", estimate(time.step)},
        {"profiler_overhead", real(time.overhead)}};
}

Json graph_spans(const Run& run) {
    return list_of(run.graph_spans, [](std::chrono::nanoseconds span) { return whole(span); });
}

} // namespace

Json traces(const Run& run) {
    return {
        {"host_times", host_times(run)},
        {"states", list_of(run.states, state)},
        {"conditions", list_of(run.conditions, condition)},
        {"passes", list_of(run.passes, pass)},
        {"pass_times", list_of(pass_times(run), pass_time)},
        {"ledger", ledger(run)},
        {"calls", list_of(run.calls, call)},
        {"kernels", list_of(run.kernels, kernel)},
        {"op_samples", list_of(run.op_samples, op_sample)},
        {"step_records", list_of(run.step_records, step_record)},
        {"graph_spans_ns", graph_spans(run)},
        {"events", list_of(run.events, event)},
        {"marks", list_of(run.marks, mark)},
        {"executables", list_of(run.executables, executable)},
        {"slack_bytes", run.slack ? Json(run.slack->count) : Json(nullptr)}};
}

} // namespace kvprof::analyzers
