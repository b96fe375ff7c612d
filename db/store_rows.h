#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kvprof::db {

class Connection;
struct Baseline;
struct Tag;

// Model structs to rows and back; internal to db/. The caller holds the transaction.

/// The row id of an experiment. @throws StoreError when the uuid is unknown.
[[nodiscard]] std::int64_t experiment_id(Connection& connection, std::string_view uuid);

std::int64_t write_experiment(Connection& connection, const Experiment& experiment);
void write_run(Connection& connection, std::int64_t experiment_id, const Run& run);
/// What the passes counted and traced, events included.
void write_trace(Connection& connection, std::int64_t run_id, const Run& run);
/// Host times, device states, conditions, passes and memory marks.
void write_circumstances(Connection& connection, std::int64_t run_id, const Run& run);
/// Nothing of a run that was not imported.
void write_profile(Connection& connection, std::int64_t run_id, const Run& run);
/// Of a run, or without one of its device alone.
void write_ceilings(
    Connection& connection, std::optional<std::int64_t> run_id, const Ceilings& ceilings
);

/// A tag of a new name, of something that is stored.
void write_tag(Connection& connection, const Tag& tag);
/// One revision with its runs. @throws StoreError when a run is unknown.
void write_baseline(Connection& connection, const Baseline& baseline, std::int64_t revision);

/// With its runs, each without its events. @throws StoreError when the uuid is unknown.
[[nodiscard]] Experiment read_experiment(Connection& connection, std::string_view uuid);
/// Without events. @throws StoreError when the uuid is unknown, or when a stored word has no
/// meaning here.
[[nodiscard]] Run read_run(Connection& connection, std::string_view uuid);
/// Everything that write_trace() wrote but the events.
void read_trace(Connection& connection, std::int64_t run_id, Run& run);
void read_circumstances(Connection& connection, std::int64_t run_id, Run& run);
void read_profile(Connection& connection, std::int64_t run_id, Run& run);
void read_ceilings(Connection& connection, std::int64_t run_id, Run& run);
/// @throws StoreError when the uuid is unknown.
[[nodiscard]] std::vector<KernelEvent> read_events(Connection& connection, std::string_view uuid);

/// An experiment, or one of its runs.
struct StoredRow {
    std::string_view uuid;
    std::int64_t experiment_id = 0;
    std::optional<std::int64_t> run_id;
};

/// @throws UsageError when the current revision of a baseline holds the run, or without one any run
/// of the experiment.
void refuse_held(Connection& connection, const StoredRow& row);

/// @throws StoreError, always: the store has no `what` ("run", "experiment") of this uuid.
[[noreturn]] void
refuse_unknown(const Connection& connection, std::string_view what, std::string_view uuid);

} // namespace kvprof::db
