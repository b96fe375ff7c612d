#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <string_view>

namespace kvprof::db {

class Connection;

// Model structs to rows and back; internal to db/. The caller holds the transaction.

/// The row id of an experiment. @throws StoreError when the uuid is unknown.
[[nodiscard]] std::int64_t experiment_id(Connection& connection, std::string_view uuid);

std::int64_t write_experiment(Connection& connection, const Experiment& experiment);
void write_run(Connection& connection, std::int64_t experiment_id, const Run& run);

/// With its runs. @throws StoreError when the uuid is unknown.
[[nodiscard]] Experiment read_experiment(Connection& connection, std::string_view uuid);
/// @throws StoreError when the uuid is unknown, or when a stored word has no meaning here.
[[nodiscard]] Run read_run(Connection& connection, std::string_view uuid);

} // namespace kvprof::db
