-- A/B experiments, and baselines: named sets of runs that later ones are compared with.

ALTER TABLE experiment ADD COLUMN kind TEXT NOT NULL DEFAULT 'matrix';

-- How an A/B experiment was laid out before it began; a is the base, b the candidate.
CREATE TABLE ab_design(
    experiment_id INTEGER PRIMARY KEY REFERENCES experiment(id) ON DELETE CASCADE,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    runs INTEGER NOT NULL,
    looks INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    attempt INTEGER NOT NULL
) STRICT;

-- A field that differs between the sides and is meant to.
CREATE TABLE ab_treatment(
    experiment_id INTEGER NOT NULL REFERENCES ab_design(experiment_id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    field TEXT NOT NULL,
    PRIMARY KEY(experiment_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Place of a run in an A/B experiment; null: its experiment is another kind.
ALTER TABLE run ADD COLUMN side TEXT;
ALTER TABLE run ADD COLUMN block INTEGER;
ALTER TABLE run ADD COLUMN place INTEGER;
ALTER TABLE run ADD COLUMN attempt INTEGER CHECK(
    (side IS NULL) = (attempt IS NULL)
    AND (block IS NULL) = (attempt IS NULL)
    AND (place IS NULL) = (attempt IS NULL)
);

-- One revision of a baseline; the highest of its name is the one that holds.
CREATE TABLE baseline(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    set_at TEXT NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    UNIQUE(name, revision)
) STRICT;

CREATE TABLE baseline_run(
    baseline_id INTEGER NOT NULL REFERENCES baseline(id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    PRIMARY KEY(baseline_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX baseline_run_by_run ON baseline_run(run_id);
