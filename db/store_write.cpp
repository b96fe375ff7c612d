#include "capture/model/params.h"
#include "db/connection.h"
#include "db/store_rows.h"

#include <optional>
#include <string>

namespace kvprof::db {

namespace {

std::int64_t last_id(Connection& connection) {
    Query query(connection, "SELECT last_insert_rowid()");
    static_cast<void>(query.next());
    return query.integer(0);
}

std::int64_t write_run_row(Connection& connection, std::int64_t experiment_id, const Run& run) {
    Query(
        connection,
        "INSERT INTO run(experiment_id, uuid, variant, repeat, position, process_id, started_at, "
        "state, reason, exit_code, schedulable_tokens, state_slots, ids_compared, "
        "attention_error, attention_rows, graph_nodes, cycle_steps, warmup_replays, slack_bytes, "
        "side, block, place, attempt) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
        .with(
            experiment_id,
            run.uuid,
            run.variant,
            run.repeat,
            run.position,
            run.process_id,
            run.started_at,
            to_string(run.status.state),
            run.status.reason,
            run.status.exit_code,
            run.pool.schedulable_tokens,
            run.pool.state_slots,
            run.check.ids_compared,
            run.check.attention_error,
            run.check.attention_rows,
            run.graph_nodes,
            run.cycle_steps,
            run.warmup_replays,
            run.slack ? std::optional(run.slack->count) : std::nullopt,
            run.ab ? std::optional(std::string(to_string(run.ab->side))) : std::nullopt,
            run.ab ? std::optional(run.ab->block) : std::nullopt,
            run.ab ? std::optional(run.ab->place) : std::nullopt,
            run.ab ? std::optional(run.ab->attempt) : std::nullopt
        )
        .run();
    return last_id(connection);
}

void write_specs(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(connection, "INSERT INTO run_param(run_id, spec, name, value) VALUES(?, ?, ?, ?)");
    for (const Param& param : to_params(run.step)) {
        insert.with(run_id, std::string_view("step"), param.name, param.value).run();
    }
    for (const Param& param : to_params(run.measure)) {
        insert.with(run_id, std::string_view("measure"), param.name, param.value).run();
    }
}

void write_environment(
    Connection& connection, std::int64_t run_id, const Environment& environment
) {
    Query fact(connection, "INSERT INTO run_fact(run_id, name, value) VALUES(?, ?, ?)");
    for (const Param& param : to_params(environment)) {
        fact.with(run_id, param.name, param.value).run();
    }
    Query process(
        connection,
        "INSERT INTO foreign_process(run_id, ordinal, observed, pid, memory_bytes) "
        "VALUES(?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const ForeignProcess& other : environment.foreign) {
        process.with(run_id, ordinal++, other.when, other.pid, other.bytes).run();
    }
}

void write_samples(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO sample(run_id, ordinal, replays, gpu_time_ns, wall_time_ns, discarded) "
        "VALUES(?, ?, ?, ?, ?, ?)"
    );
    for (const Sample& sample : run.samples) {
        insert
            .with(
                run_id,
                sample.ordinal,
                sample.replays,
                std::int64_t{sample.gpu_time.count()},
                std::int64_t{sample.wall_time.count()},
                sample.discarded
            )
            .run();
    }
}

void write_ops(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO op_stat(run_id, ordinal, op, stage, placement, launches, "
        "copies, least_bytes) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const OpStat& stat : run.ops) {
        insert
            .with(
                run_id,
                ordinal++,
                to_string(stat.op),
                to_string(stat.stage),
                to_string(stat.placement),
                stat.launches,
                stat.copies,
                stat.least_bytes ? std::optional(stat.least_bytes->count) : std::nullopt
            )
            .run();
    }
}

void write_memory(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(
        connection,
        "INSERT INTO memory_stat(run_id, ordinal, name, source, buffer_group, size_bytes) "
        "VALUES(?, ?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const MemoryStat& stat : run.memory) {
        insert
            .with(
                run_id, ordinal++, stat.name, to_string(stat.source), stat.group, stat.bytes.count
            )
            .run();
    }
}

void write_notes(Connection& connection, std::int64_t run_id, const Run& run) {
    Query insert(connection, "INSERT INTO run_note(run_id, ordinal, note) VALUES(?, ?, ?)");
    std::int64_t ordinal = 0;
    for (const std::string& note : run.notes) {
        insert.with(run_id, ordinal++, note).run();
    }
}

void write_design(Connection& connection, std::int64_t experiment_id, const AbDesign& design) {
    Query(
        connection,
        "INSERT INTO ab_design(experiment_id, a, b, runs, looks, seed, attempt) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)"
    )
        .with(
            experiment_id,
            design.a,
            design.b,
            design.runs,
            design.looks,
            design.seed,
            design.attempt
        )
        .run();
    Query insert(
        connection, "INSERT INTO ab_treatment(experiment_id, ordinal, field) VALUES(?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const std::string& field : design.treatment) {
        insert.with(experiment_id, ordinal++, field).run();
    }
}

} // namespace

std::int64_t write_experiment(Connection& connection, const Experiment& experiment) {
    Query(
        connection,
        "INSERT INTO experiment(uuid, started_at, command_line, label, state, kind) "
        "VALUES(?, ?, ?, ?, ?, ?)"
    )
        .with(
            experiment.uuid,
            experiment.started_at,
            experiment.command_line,
            experiment.label,
            to_string(experiment.state),
            to_string(experiment.kind)
        )
        .run();
    const std::int64_t id = last_id(connection);
    if (experiment.ab) {
        write_design(connection, id, *experiment.ab);
    }
    return id;
}

void write_run(Connection& connection, std::int64_t experiment_id, const Run& run) {
    const std::int64_t run_id = write_run_row(connection, experiment_id, run);
    write_specs(connection, run_id, run);
    write_environment(connection, run_id, run.environment);
    write_samples(connection, run_id, run);
    write_ops(connection, run_id, run);
    write_memory(connection, run_id, run);
    write_notes(connection, run_id, run);
    write_circumstances(connection, run_id, run);
    write_trace(connection, run_id, run);
    write_profile(connection, run_id, run);
    if (run.ceilings) {
        write_ceilings(connection, run_id, *run.ceilings);
    }
}

} // namespace kvprof::db
