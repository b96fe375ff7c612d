#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace kvprof::db {

namespace {

/// A field that this program does not have becomes a note: a fact is not dropped without a word.
template<typename Spec>
void read_fields(Connection& connection, Query& rows, Spec& spec, Run& run) {
    while (rows.next()) {
        const std::string name = rows.text(0);
        const std::string value = rows.text(1);
        try {
            if (!set_field(spec, name, value)) {
                run.notes.push_back(
                    fmt::format("unknown-field: {}={} is stored, and not known here", name, value)
                );
            }
        } catch (const UsageError& failure) {
            refuse_run(connection, run.uuid, failure.what());
        }
    }
}

/// Returns the row's id.
std::int64_t read_run_row(Connection& connection, std::string_view uuid, Run& run) {
    Query row(
        connection,
        "SELECT id, uuid, variant, repeat, position, process_id, started_at, state, reason, "
        "exit_code, schedulable_tokens, state_slots, ids_compared, attention_error, "
        "attention_rows, graph_nodes, cycle_steps, warmup_replays, slack_bytes, side, block, "
        "place, attempt FROM run WHERE uuid = ?"
    );
    if (!row.with(uuid).next()) {
        refuse_unknown(connection, "run", uuid);
    }
    int column = 0;
    const std::int64_t id = row.integer(column++);
    run.uuid = row.text(column++);
    run.variant = row.text(column++);
    run.repeat = row.integer(column++);
    run.position = row.integer(column++);
    run.process_id = row.integer(column++);
    run.started_at = row.text(column++);
    run.status.state = enum_of<RunState>(connection, uuid, row.text(column++));
    run.status.reason = row.text(column++);
    run.status.exit_code = static_cast<int>(row.integer(column++));
    run.pool.schedulable_tokens = row.integer(column++);
    run.pool.state_slots = row.integer(column++);
    run.check.ids_compared = row.integer(column++);
    run.check.attention_error = row.optional_real(column++);
    run.check.attention_rows = row.integer(column++);
    run.graph_nodes = row.integer(column++);
    run.cycle_steps = row.integer(column++);
    run.warmup_replays = row.integer(column++);
    if (const auto slack = row.optional_integer(column++)) {
        run.slack = Bytes{*slack};
    }
    if (const auto side = row.optional_text(column++)) {
        run.ab = AbPlace{
            .side = enum_of<AbSide>(connection, uuid, *side),
            .block = row.integer(column),
            .place = row.integer(column + 1),
            .attempt = row.integer(column + 2)};
    }
    return id;
}

void read_notes(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(connection, "SELECT note FROM run_note WHERE run_id = ? ORDER BY ordinal");
    rows.with(run_id);
    while (rows.next()) {
        run.notes.push_back(rows.text(0));
    }
}

void read_specs(Connection& connection, std::int64_t run_id, Run& run) {
    const std::string sql = "SELECT name, value FROM run_param WHERE run_id = ? AND spec = ?";
    Query step(connection, sql);
    read_fields(connection, step.with(run_id, std::string_view("step")), run.step, run);
    Query measure(connection, sql);
    read_fields(connection, measure.with(run_id, std::string_view("measure")), run.measure, run);
}

void read_environment(Connection& connection, std::int64_t run_id, Run& run) {
    Query facts(connection, "SELECT name, value FROM run_fact WHERE run_id = ?");
    read_fields(connection, facts.with(run_id), run.environment, run);
    Query rows(
        connection,
        "SELECT observed, pid, memory_bytes FROM foreign_process WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.environment.foreign.push_back(
            {.when = rows.text(0), .pid = rows.integer(1), .bytes = rows.integer(2)}
        );
    }
}

void read_samples(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT ordinal, replays, gpu_time_ns, wall_time_ns, discarded FROM sample "
        "WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.samples.push_back(
            {.ordinal = rows.integer(0),
             .replays = rows.integer(1),
             .gpu_time = std::chrono::nanoseconds(rows.integer(2)),
             .wall_time = std::chrono::nanoseconds(rows.integer(3)),
             .discarded = rows.optional_text(4)}
        );
    }
}

void read_ops(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT op, stage, placement, launches, copies, least_bytes FROM op_stat "
        "WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        const auto least = rows.optional_integer(5);
        run.ops.push_back(
            {.op = enum_of<OpKind>(connection, run.uuid, rows.text(0)),
             .stage = enum_of<Stage>(connection, run.uuid, rows.text(1)),
             .placement = enum_of<Placement>(connection, run.uuid, rows.text(2)),
             .launches = rows.integer(3),
             .copies = rows.integer(4),
             .least_bytes = least ? std::optional(Bytes{*least}) : std::nullopt}
        );
    }
}

void read_memory(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection,
        "SELECT name, source, buffer_group, size_bytes FROM memory_stat WHERE run_id = ? "
        "ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        run.memory.push_back(
            {.name = rows.text(0),
             .source = enum_of<MemorySource>(connection, run.uuid, rows.text(1)),
             .group = rows.text(2),
             .bytes = Bytes{rows.integer(3)}}
        );
    }
}

} // namespace

void refuse_run(const Connection& connection, std::string_view uuid, std::string_view why) {
    throw StoreError(
        fmt::format(
            "could not read run {} of the store {}: {}", uuid, connection.path().string(), why
        ),
        "use the kvprof that wrote it"
    );
}

void refuse_word(const Connection& connection, std::string_view uuid, std::string_view word) {
    refuse_run(connection, uuid, fmt::format("\"{}\" has no meaning in this program", word));
}

void refuse_unknown(const Connection& connection, std::string_view what, std::string_view uuid) {
    throw StoreError(
        fmt::format(
            "could not read {} {} of the store {}: there is none",
            what,
            uuid,
            connection.path().string()
        ),
        "list what is stored with: kvprof ls"
    );
}

Run read_run(Connection& connection, std::string_view uuid) {
    Run run;
    const std::int64_t id = read_run_row(connection, uuid, run);
    read_notes(connection, id, run);
    read_specs(connection, id, run);
    read_environment(connection, id, run);
    read_samples(connection, id, run);
    read_ops(connection, id, run);
    read_memory(connection, id, run);
    read_circumstances(connection, id, run);
    read_trace(connection, id, run);
    read_profile(connection, id, run);
    read_ceilings(connection, id, run);
    return run;
}

} // namespace kvprof::db
