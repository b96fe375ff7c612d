#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace kvprof::db {

namespace {

void read_calls(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT call, kind, role, op, is_captured, calls, failed FROM api_stat WHERE run_id = ? "
        "ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        ApiStat& stat = run.calls.emplace_back();
        stat.call = rows.text(0);
        stat.kind = enum_of<ApiKind>(connection, run.uuid, rows.text(1));
        stat.role = enum_of<Role>(connection, run.uuid, rows.text(2));
        if (const auto op = rows.optional_text(3)) {
            stat.op = enum_of<OpKind>(connection, run.uuid, *op);
        }
        stat.is_captured = rows.integer(4) != 0;
        stat.calls = rows.integer(5);
        stat.failed = rows.integer(6);
    }
}

KernelStat kernel_of(const Connection& connection, std::string_view uuid, const Query& row) {
    int column = 0;
    KernelStat stat;
    if (const std::string op = row.text(column++); !op.empty()) {
        stat.op = enum_of<OpKind>(connection, uuid, op);
    }
    stat.placement = enum_of<Placement>(connection, uuid, row.text(column++));
    stat.kind = enum_of<ActivityKind>(connection, uuid, row.text(column++));
    stat.copy = enum_of<CopyKind>(connection, uuid, row.text(column++));
    stat.name = row.text(column++);
    for (Dim3* dim : {&stat.grid, &stat.block}) {
        for (std::int64_t& size : *dim) {
            size = row.integer(column++);
        }
    }
    stat.registers = row.integer(column++);
    stat.static_shared_bytes = row.integer(column++);
    stat.dynamic_shared_bytes = row.integer(column++);
    stat.local_bytes = row.integer(column++);
    stat.launches = row.integer(column++);
    stat.time = row.duration(column++);
    stat.shortest = row.duration(column++);
    stat.longest = row.duration(column++);
    stat.blocks = row.integer(column++);
    stat.blocks_with_work = row.optional_integer(column++);
    return stat;
}

void read_kernels(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT op, placement, kind, copy, name, grid_x, grid_y, grid_z, block_x, block_y, "
        "block_z, registers, static_shared_bytes, dynamic_shared_bytes, local_bytes, launches, "
        "time_ns, shortest_ns, longest_ns, blocks, blocks_with_work FROM kernel_stat "
        "WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.kernels.push_back(kernel_of(connection, run.uuid, rows));
    }
}

void read_op_samples(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT step, op, placement, records, time_ns FROM op_sample WHERE run_id = ? "
        "ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.op_samples.push_back(
            {.step = rows.integer(0),
             .op = enum_of<OpKind>(connection, run.uuid, rows.text(1)),
             .placement = enum_of<Placement>(connection, run.uuid, rows.text(2)),
             .records = rows.integer(3),
             .time = rows.duration(4)}
        );
    }
}

void read_step_records(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT step, batch, records, span_ns, busy_sum_ns, busy_union_ns, tail_ns "
        "FROM step_record WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.step_records.push_back(
            {.step = rows.integer(0),
             .batch = rows.integer(1),
             .records = rows.integer(2),
             .span = rows.duration(3),
             .busy_sum = rows.duration(4),
             .busy_union = rows.duration(5),
             .tail = rows.optional_duration(6)}
        );
    }
}

void read_graph_spans(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(connection, "SELECT span_ns FROM graph_span WHERE run_id = ? ORDER BY ordinal");
    rows.with(run_id);
    while (rows.next()) {
        run.graph_spans.push_back(rows.duration(0));
    }
}

} // namespace

void read_trace(Connection& connection, std::int64_t run_id, Run& run) {
    read_calls(connection, run_id, run);
    read_kernels(connection, run_id, run);
    read_op_samples(connection, run_id, run);
    read_step_records(connection, run_id, run);
    read_graph_spans(connection, run_id, run);
}

std::vector<KernelEvent> read_events(Connection& connection, std::string_view uuid) {
    Query run(connection, "SELECT id FROM run WHERE uuid = ?");
    if (!run.with(uuid).next()) {
        refuse_unknown(connection, "run", uuid);
    }
    Query rows(
        connection,
        "SELECT step, kernel, stream, node, start_ns, duration_ns, rank, device "
        "FROM kernel_event WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run.integer(0));
    std::vector<KernelEvent> events;
    while (rows.next()) {
        events.push_back(
            {.step = rows.integer(0),
             .kernel = rows.integer(1),
             .stream = rows.integer(2),
             .node = std::bit_cast<std::uint64_t>(rows.integer(3)),
             .start = rows.duration(4),
             .duration = rows.duration(5),
             .rank = rows.integer(6),
             .device = rows.integer(7)}
        );
    }
    return events;
}

} // namespace kvprof::db
