#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <algorithm>
#include <cstdint>

namespace kvprof::db {

namespace {

void read_host_times(Connection& connection, std::int64_t run_id, Run& run) {
    Query row(
        connection, "SELECT steps, before_ns, launch_ns, after_ns FROM host_time WHERE run_id = ?"
    );
    if (row.with(run_id).next()) {
        run.host_times = {
            .steps = row.integer(0),
            .before = row.duration(1),
            .launch = row.duration(2),
            .after = row.duration(3)};
    }
}

void read_states(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT observed, sm_clock_mhz, memory_clock_mhz, temperature_c, power_mw, event_reasons, "
        "used_bytes, utilization_percent FROM device_state WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        int column = 0;
        DeviceState& state = run.states.emplace_back();
        state.when = rows.text(column++);
        state.sm_clock_mhz = rows.optional_integer(column++);
        state.memory_clock_mhz = rows.optional_integer(column++);
        state.temperature_c = rows.optional_integer(column++);
        state.power_mw = rows.optional_integer(column++);
        state.event_reasons = rows.optional_integer(column++);
        state.used_bytes = rows.optional_integer(column++);
        state.utilization_percent = rows.optional_integer(column++);
    }
}

void read_conditions(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection, "SELECT kind, detail, pass FROM run_condition WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.conditions.push_back(
            {.kind = enum_of<ConditionKind>(connection, run.uuid, rows.text(0)),
             .detail = rows.text(1),
             .pass = enum_of<Pass>(connection, run.uuid, rows.text(2))}
        );
    }
}

std::vector<TracedBatch> batches_of(Connection& connection, std::int64_t run_id, Pass pass) {
    Query rows(
        connection,
        "SELECT ordinal, steps, gpu_time_ns, wall_time_ns, recorded_ns FROM pass_batch "
        "WHERE run_id = ? AND pass = ? ORDER BY ordinal"
    );
    rows.with(run_id, to_string(pass));
    std::vector<TracedBatch> batches;
    while (rows.next()) {
        batches.push_back(
            {.ordinal = rows.integer(0),
             .steps = rows.integer(1),
             .gpu_time = rows.duration(2),
             .wall_time = rows.duration(3),
             .recorded = rows.optional_duration(4)}
        );
    }
    return batches;
}

void read_passes(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT pass, failure, steps, graphs, records, dropped, untimed, orphans, by_node, "
        "by_launch, "
        "unattributed, nodes_cross_checked FROM pass WHERE run_id = ?"
    );
    rows.with(run_id);
    while (rows.next()) {
        int column = 0;
        PassResult& pass = run.passes.emplace_back();
        pass.pass = enum_of<Pass>(connection, run.uuid, rows.text(column++));
        pass.failure = rows.text(column++);
        pass.steps = rows.integer(column++);
        pass.graphs = rows.integer(column++);
        pass.records = rows.integer(column++);
        pass.dropped = rows.integer(column++);
        pass.untimed = rows.integer(column++);
        pass.orphans = rows.integer(column++);
        pass.by_node = rows.integer(column++);
        pass.by_launch = rows.integer(column++);
        pass.unattributed = rows.integer(column++);
        pass.nodes_cross_checked = rows.integer(column++);
        pass.batches = batches_of(connection, run_id, pass.pass);
    }
    std::sort(run.passes.begin(), run.passes.end(), [](const auto& a, const auto& b) {
        return a.pass < b.pass;
    });
}

void read_marks(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT mark, source, size_bytes FROM memory_mark WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.marks.push_back(
            {.mark = enum_of<MemoryMark>(connection, run.uuid, rows.text(0)),
             .source = enum_of<MemorySource>(connection, run.uuid, rows.text(1)),
             .bytes = Bytes{rows.integer(2)}}
        );
    }
}

void read_executables(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT executables, kernel_nodes, taken_bytes FROM executable_point WHERE run_id = ? "
        "ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.executables.push_back(
            {.executables = rows.integer(0),
             .kernel_nodes = rows.integer(1),
             .taken = Bytes{rows.integer(2)}}
        );
    }
}

} // namespace

void read_circumstances(Connection& connection, std::int64_t run_id, Run& run) {
    read_host_times(connection, run_id, run);
    read_states(connection, run_id, run);
    read_conditions(connection, run_id, run);
    read_passes(connection, run_id, run);
    read_marks(connection, run_id, run);
    read_executables(connection, run_id, run);
}

} // namespace kvprof::db
