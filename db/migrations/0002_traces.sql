-- What the passes beside the timing pass found, and the circumstances of a run. `ordinal` is the
-- place in the run's own order.

-- Bytes that had to be allocated before the device's free memory moved; null: not measured.
ALTER TABLE run ADD COLUMN slack_bytes INTEGER;

-- Host time of the thread that issues the steps, untraced, summed over `steps`.
CREATE TABLE host_time(
    run_id INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    steps INTEGER NOT NULL,
    before_ns INTEGER NOT NULL,
    launch_ns INTEGER NOT NULL,
    after_ns INTEGER NOT NULL
) STRICT;

-- One reading of the device while the run measured; null: NVML did not tell.
CREATE TABLE device_state(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    observed TEXT NOT NULL,
    sm_clock_mhz INTEGER,
    memory_clock_mhz INTEGER,
    temperature_c INTEGER,
    power_mw INTEGER,
    event_reasons INTEGER,
    used_bytes INTEGER,
    utilization_percent INTEGER,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_condition(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    pass TEXT NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE pass(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    pass TEXT NOT NULL,
    failure TEXT NOT NULL,
    steps INTEGER NOT NULL,
    graphs INTEGER NOT NULL,
    records INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    untimed INTEGER NOT NULL,
    orphans INTEGER NOT NULL,
    by_node INTEGER NOT NULL,
    by_launch INTEGER NOT NULL,
    unattributed INTEGER NOT NULL,
    nodes_cross_checked INTEGER NOT NULL,
    PRIMARY KEY(run_id, pass)
) STRICT, WITHOUT ROWID;

CREATE TABLE pass_batch(
    run_id INTEGER NOT NULL,
    pass TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    gpu_time_ns INTEGER NOT NULL,
    wall_time_ns INTEGER NOT NULL,
    recorded_ns INTEGER,
    PRIMARY KEY(run_id, pass, ordinal),
    FOREIGN KEY(run_id, pass) REFERENCES pass(run_id, pass) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Counts pass: calls of one API function by who made them.
CREATE TABLE api_stat(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    call TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    op TEXT,
    is_captured INTEGER NOT NULL CHECK(is_captured IN (0, 1)),
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Nodes pass: one kernel, copy or fill of one op with one launch geometry, summed over the steps.
-- Times are traced times.
CREATE TABLE kernel_stat(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    op TEXT NOT NULL,
    placement TEXT NOT NULL,
    kind TEXT NOT NULL,
    copy TEXT NOT NULL,
    name TEXT NOT NULL,
    grid_x INTEGER NOT NULL,
    grid_y INTEGER NOT NULL,
    grid_z INTEGER NOT NULL,
    block_x INTEGER NOT NULL,
    block_y INTEGER NOT NULL,
    block_z INTEGER NOT NULL,
    registers INTEGER NOT NULL,
    static_shared_bytes INTEGER NOT NULL,
    dynamic_shared_bytes INTEGER NOT NULL,
    local_bytes INTEGER NOT NULL,
    launches INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,
    shortest_ns INTEGER NOT NULL,
    longest_ns INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    blocks_with_work INTEGER,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Nodes pass: device time of one op in one step.
CREATE TABLE op_sample(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    step INTEGER NOT NULL,
    op TEXT NOT NULL,
    placement TEXT NOT NULL,
    records INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Nodes pass: where the time of one step went.
CREATE TABLE step_record(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    step INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    records INTEGER NOT NULL,
    span_ns INTEGER NOT NULL,
    busy_sum_ns INTEGER NOT NULL,
    busy_union_ns INTEGER NOT NULL,
    tail_ns INTEGER,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Graph pass: first node's start to last node's end, one a replay.
CREATE TABLE graph_span(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    span_ns INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Nodes pass: the records of the steps that were kept. The only table that can grow large.
CREATE TABLE kernel_event(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    step INTEGER NOT NULL,
    kernel INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    node INTEGER NOT NULL,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Memory pass: one source at one moment in the graph's life.
CREATE TABLE memory_mark(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    mark TEXT NOT NULL,
    source TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Memory pass: memory taken by several executables of the graph at once.
CREATE TABLE executable_point(
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    executables INTEGER NOT NULL,
    kernel_nodes INTEGER NOT NULL,
    taken_bytes INTEGER NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;
