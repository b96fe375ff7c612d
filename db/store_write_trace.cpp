#include "db/connection.h"
#include "db/store_rows.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

namespace kvprof::db {

namespace {

void write_calls(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO api_stat(run_id, ordinal, call, kind, role, op, is_captured, calls, failed) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const ApiStat& stat : run.calls) {
        const auto op = stat.op ? std::optional(std::string(to_string(*stat.op))) : std::nullopt;
        insert
            .with(
                run_id,
                ordinal++,
                stat.call,
                to_string(stat.kind),
                to_string(stat.role),
                op,
                stat.is_captured ? 1 : 0,
                stat.calls,
                stat.failed
            )
            .run();
    }
}

void write_kernel(Query& insert, std::int64_t run_id, std::int64_t ordinal, const KernelStat& s) {
    insert
        .with(
            run_id,
            ordinal,
            s.op ? to_string(*s.op) : "", // the column is NOT NULL since before there was no op
            to_string(s.placement),
            to_string(s.kind),
            to_string(s.copy),
            s.name,
            s.grid[0],
            s.grid[1],
            s.grid[2],
            s.block[0],
            s.block[1],
            s.block[2],
            s.registers,
            s.static_shared_bytes,
            s.dynamic_shared_bytes,
            s.local_bytes,
            s.launches,
            s.time,
            s.shortest,
            s.longest,
            s.blocks,
            s.blocks_with_work
        )
        .run();
}

void write_kernels(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO kernel_stat(run_id, ordinal, op, placement, kind, copy, name, grid_x, grid_y, "
        "grid_z, block_x, block_y, block_z, registers, static_shared_bytes, dynamic_shared_bytes, "
        "local_bytes, launches, time_ns, shortest_ns, longest_ns, blocks, blocks_with_work) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const KernelStat& stat : run.kernels) {
        write_kernel(insert, run_id, ordinal++, stat);
    }
}

void write_op_samples(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO op_sample(run_id, ordinal, step, op, placement, records, time_ns) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const OpSample& sample : run.op_samples) {
        insert
            .with(
                run_id,
                ordinal++,
                sample.step,
                to_string(sample.op),
                to_string(sample.placement),
                sample.records,
                sample.time
            )
            .run();
    }
}

void write_step_records(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO step_record(run_id, ordinal, step, batch, records, span_ns, busy_sum_ns, "
        "busy_union_ns, tail_ns) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const StepRecord& record : run.step_records) {
        insert
            .with(
                run_id,
                ordinal++,
                record.step,
                record.batch,
                record.records,
                record.span,
                record.busy_sum,
                record.busy_union,
                record.tail
            )
            .run();
    }
}

void write_graph_spans(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(connection, "INSERT INTO graph_span(run_id, ordinal, span_ns) VALUES(?, ?, ?)");
    std::int64_t ordinal = 0;
    for (const std::chrono::nanoseconds span : run.graph_spans) {
        insert.with(run_id, ordinal++, span).run();
    }
}

void write_events(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO kernel_event(run_id, ordinal, step, kernel, stream, node, start_ns, "
        "duration_ns, rank, device) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const KernelEvent& event : run.events) {
        insert
            .with(
                run_id,
                ordinal++,
                event.step,
                event.kernel,
                event.stream,
                std::bit_cast<std::int64_t>(event.node), // SQLite has no unsigned 64-bit integer
                event.start,
                event.duration,
                event.rank,
                event.device
            )
            .run();
    }
}

} // namespace

void write_trace(Connection& connection, std::int64_t run_id, const Run& run) {
    write_calls(connection, run_id, run);
    write_kernels(connection, run_id, run);
    write_op_samples(connection, run_id, run);
    write_step_records(connection, run_id, run);
    write_graph_spans(connection, run_id, run);
    write_events(connection, run_id, run);
}

} // namespace kvprof::db
