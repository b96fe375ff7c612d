-- The store of kvprof: facts as measured, no verdicts. Columns end in their unit; times of day are
-- UTC in ISO 8601; words are those of the command line. docs/schema.md explains each table.

CREATE TABLE experiment(
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    started_at TEXT NOT NULL,
    command_line TEXT NOT NULL,
    label TEXT NOT NULL,
    state TEXT NOT NULL
) STRICT;

CREATE INDEX experiment_by_start ON experiment(started_at);

CREATE TABLE run(
    id INTEGER PRIMARY KEY,
    experiment_id INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,
    uuid TEXT NOT NULL UNIQUE,
    variant TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    position INTEGER NOT NULL,
    process_id INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    schedulable_tokens INTEGER NOT NULL,
    state_slots INTEGER NOT NULL,
    ids_compared INTEGER NOT NULL,
    attention_error REAL,
    attention_rows INTEGER NOT NULL,
    graph_nodes INTEGER NOT NULL,
    cycle_steps INTEGER NOT NULL,
    warmup_replays INTEGER NOT NULL
) STRICT;

CREATE INDEX run_by_experiment ON run(experiment_id, position);

-- Every field of the step ('step') and of how it was measured ('measure'), as text.
CREATE TABLE run_param(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    spec TEXT NOT NULL CHECK(spec IN ('step', 'measure')),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY(run_id, spec, name)
) STRICT, WITHOUT ROWID;

-- What the run was measured on: device, driver, machine, build.
CREATE TABLE run_fact(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY(run_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE foreign_process(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    observed TEXT NOT NULL,
    pid INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- One timed batch of replays. Divide a time by `replays` for the time of one replay.
CREATE TABLE sample(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    replays INTEGER NOT NULL,
    gpu_time_ns INTEGER NOT NULL,
    wall_time_ns INTEGER NOT NULL,
    discarded TEXT,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE op_stat(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    op TEXT NOT NULL,
    stage TEXT NOT NULL,
    placement TEXT NOT NULL,
    launches INTEGER NOT NULL,
    copies INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Figures of two sources are never added or compared.
CREATE TABLE memory_stat(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    buffer_group TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_note(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- A name for an experiment, or for one of its runs when run_id is not null.
CREATE TABLE tag(
    name TEXT PRIMARY KEY,
    experiment_id INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,
    run_id INTEGER REFERENCES run(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX tag_by_experiment ON tag(experiment_id);
CREATE INDEX tag_by_run ON tag(run_id);
