-- What an op has to move at least, and what a device can do at most. Runs that were measured before
-- know neither.
ALTER TABLE op_stat ADD COLUMN least_bytes INTEGER;

-- One row a ceiling, copied into each run that it holds for: a run keeps its ceilings wherever it
-- goes. Those that a device was asked for without a run have no run_id; of a device and driver the
-- ones measured last hold. A node has a time, a copy a bandwidth.
CREATE TABLE ceiling(
    run_id INTEGER REFERENCES run(id) ON DELETE CASCADE,
    device_uuid TEXT NOT NULL,
    driver TEXT NOT NULL,
    measured_at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('node', 'hbm', 'l2')),
    copied_bytes INTEGER,
    bandwidth_bytes_per_s REAL,
    time_ns REAL,
    UNIQUE(run_id, kind, copied_bytes)
) STRICT;

CREATE INDEX ceiling_by_device ON ceiling(device_uuid, driver, measured_at);
