-- Runs that were imported from the profiles of other programs. The kernels of such a run are rows of
-- kernel_stat with an empty op, its calls rows of api_stat.

CREATE TABLE profile(
    run_id INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    writer TEXT NOT NULL,
    step_rule TEXT NOT NULL,
    is_partial INTEGER NOT NULL CHECK(is_partial IN (0, 1))
) STRICT;

-- What the process of one rank recorded.
CREATE TABLE profile_rank(
    run_id INTEGER NOT NULL REFERENCES profile(run_id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    rank TEXT NOT NULL,
    file TEXT NOT NULL,
    gpu TEXT NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- A count, nanoseconds or bytes of a rank. One that the profile can not give has no row.
CREATE TABLE profile_figure(
    run_id INTEGER NOT NULL,
    rank_ordinal INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY(run_id, rank_ordinal, ordinal),
    UNIQUE(run_id, rank_ordinal, name),
    FOREIGN KEY(run_id, rank_ordinal) REFERENCES profile_rank(run_id, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- One step of a rank: what was launched in it, whenever it ran.
CREATE TABLE profile_step(
    run_id INTEGER NOT NULL,
    rank_ordinal INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    launches INTEGER NOT NULL,
    graph_launches INTEGER NOT NULL,
    kernels INTEGER NOT NULL,
    kernel_sum_ns INTEGER NOT NULL,
    PRIMARY KEY(run_id, rank_ordinal, ordinal),
    FOREIGN KEY(run_id, rank_ordinal) REFERENCES profile_rank(run_id, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE profile_capability(
    run_id INTEGER NOT NULL REFERENCES profile(run_id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;

-- What the reader repaired, left out or doubts.
CREATE TABLE profile_warning(
    run_id INTEGER NOT NULL REFERENCES profile(run_id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    word TEXT NOT NULL,
    count INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY(run_id, ordinal)
) STRICT, WITHOUT ROWID;
