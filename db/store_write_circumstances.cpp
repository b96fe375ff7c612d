#include "db/connection.h"
#include "db/store_rows.h"

#include <cstdint>

namespace kvprof::db {

namespace {

void write_host_times(Connection& connection, std::int64_t run_id, const HostTimes& times) {
    Query(
        connection,
        "INSERT INTO host_time(run_id, steps, before_ns, launch_ns, after_ns) "
        "VALUES(?, ?, ?, ?, ?)"
    )
        .with(run_id, times.steps, times.before, times.launch, times.after)
        .run();
}

void write_states(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO device_state(run_id, ordinal, observed, sm_clock_mhz, memory_clock_mhz, "
        "temperature_c, power_mw, event_reasons, used_bytes, utilization_percent) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const DeviceState& state : run.states) {
        insert
            .with(
                run_id,
                ordinal++,
                state.when,
                state.sm_clock_mhz,
                state.memory_clock_mhz,
                state.temperature_c,
                state.power_mw,
                state.event_reasons,
                state.used_bytes,
                state.utilization_percent
            )
            .run();
    }
}

void write_conditions(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO run_condition(run_id, ordinal, kind, detail, pass) VALUES(?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const Condition& condition : run.conditions) {
        insert
            .with(
                run_id,
                ordinal++,
                to_string(condition.kind),
                condition.detail,
                to_string(condition.pass)
            )
            .run();
    }
}

void write_batches(Query& insert, std::int64_t run_id, const PassResult& pass) {
    for (const TracedBatch& batch : pass.batches) {
        insert
            .with(
                run_id,
                to_string(pass.pass),
                batch.ordinal,
                batch.steps,
                batch.gpu_time,
                batch.wall_time,
                batch.recorded
            )
            .run();
    }
}

void write_passes(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO pass(run_id, pass, failure, steps, graphs, records, dropped, untimed, "
        "orphans, "
        "by_node, by_launch, unattributed, nodes_cross_checked) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    Query batch(
        connection,
        "INSERT INTO pass_batch(run_id, pass, ordinal, steps, gpu_time_ns, wall_time_ns, "
        "recorded_ns) VALUES(?, ?, ?, ?, ?, ?, ?)"
    );
    for (const PassResult& pass : run.passes) {
        insert
            .with(
                run_id,
                to_string(pass.pass),
                pass.failure,
                pass.steps,
                pass.graphs,
                pass.records,
                pass.dropped,
                pass.untimed,
                pass.orphans,
                pass.by_node,
                pass.by_launch,
                pass.unattributed,
                pass.nodes_cross_checked
            )
            .run();
        write_batches(batch, run_id, pass);
    }
}

void write_marks(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO memory_mark(run_id, ordinal, mark, source, size_bytes) VALUES(?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const MarkReading& reading : run.marks) {
        insert
            .with(
                run_id,
                ordinal++,
                to_string(reading.mark),
                to_string(reading.source),
                reading.bytes.count
            )
            .run();
    }
}

void write_executables(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO executable_point(run_id, ordinal, executables, kernel_nodes, taken_bytes) "
        "VALUES(?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const ExecutablePoint& point : run.executables) {
        insert.with(run_id, ordinal++, point.executables, point.kernel_nodes, point.taken.count)
            .run();
    }
}

} // namespace

void write_circumstances(Connection& connection, std::int64_t run_id, const Run& run) {
    if (run.host_times) {
        write_host_times(connection, run_id, *run.host_times);
    }
    write_states(connection, run_id, run);
    write_conditions(connection, run_id, run);
    write_passes(connection, run_id, run);
    write_marks(connection, run_id, run);
    write_executables(connection, run_id, run);
}

} // namespace kvprof::db
