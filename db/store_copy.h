#pragma once

#include "db/table_copy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::db {

/// Copies experiments and runs from store to store, row by row as they are stored, so that a field
/// that this program does not know goes along. Ids are the row ids of their own file. Internal to
/// db/; the caller holds a transaction on both.
class StoreCopy {
  public:
    StoreCopy(Connection& into, Connection& from);

    /// The head and the design, without runs; returns the id.
    std::int64_t add_experiment(std::int64_t from_id);
    void add_run(std::int64_t from_id, std::int64_t into_experiment, bool has_events);
    /// Gives a run that has no events those of the other store; false when there is nothing to do.
    [[nodiscard]] bool complete_events(std::int64_t from_id, std::int64_t into_id);

    /// The table in which the experiments differ; their states do not count.
    [[nodiscard]] std::optional<std::string>
    experiment_difference(std::int64_t into_id, std::int64_t from_id);
    /// The table in which the runs differ; events count when both have some.
    [[nodiscard]] std::optional<std::string>
    run_difference(std::int64_t into_id, std::int64_t from_id);

  private:
    Connection& into_;
    TableCopy experiment_;
    TableCopy run_;
    TableCopy events_;
    RawStatement has_events_; ///< in `from`
    std::vector<TableCopy> designs_;
    std::vector<TableCopy> children_; ///< of a run, without events
};

} // namespace kvprof::db
