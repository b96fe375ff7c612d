-- Whose kernel a kept record is of: the rank of an imported capture, and which of that rank's GPUs.
-- Records that were kept before do not say it. Those of a run of one rank are its own; those of a run
-- of several ranks may be of any, one behind the other, and are dropped: its figures and steps stay.
DELETE FROM kernel_event
WHERE run_id IN (SELECT run_id FROM profile_rank GROUP BY run_id HAVING count(*) > 1);
ALTER TABLE kernel_event ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kernel_event ADD COLUMN device INTEGER NOT NULL DEFAULT 0;
