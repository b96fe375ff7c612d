-- Which kernels most often ran before and after one on its stream, in an imported run. Kernels are
-- ordinals of kernel_stat; null where it had none.

CREATE TABLE profile_neighbour(
    run_id INTEGER NOT NULL REFERENCES profile(run_id) ON DELETE CASCADE,
    kernel INTEGER NOT NULL,
    kernel_before INTEGER,
    kernel_after INTEGER,
    PRIMARY KEY(run_id, kernel)
) STRICT, WITHOUT ROWID;
