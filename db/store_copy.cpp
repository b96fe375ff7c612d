#include "db/store_copy.h"

#include "db/connection.h"

#include <SQLiteCpp/Database.h>

namespace kvprof::db {

namespace {

constexpr const char* kEvents = "kernel_event";

std::int64_t last_id(Connection& connection) {
    return connection.database().getLastInsertRowid();
}

std::optional<std::string>
first_difference(std::vector<TableCopy>& tables, std::int64_t into_id, std::int64_t from_id) {
    for (TableCopy& table : tables) {
        if (!table.is_same(into_id, from_id)) {
            return table.name();
        }
    }
    return std::nullopt;
}

} // namespace

StoreCopy::StoreCopy(Connection& into, Connection& from)
    : into_(into),
      experiment_(into, from, {"experiment", "id", {}}, "state"),
      run_(into, from, {"run", "id", "experiment_id"}),
      events_(into, from, {kEvents, "run_id", "run_id"}),
      has_events_(from, "SELECT 1 FROM kernel_event WHERE run_id = ? LIMIT 1") {
    // A table and the one that it refers to may come in any order.
    into_.execute("PRAGMA defer_foreign_keys = ON");
    for (const char* name : {"ab_design", "ab_treatment"}) {
        designs_.emplace_back(into, from, OwnedTable{name, "experiment_id", "experiment_id"});
    }
    for (const OwnedTable& table : tables_of_run(into)) {
        if (table.name != kEvents) {
            children_.emplace_back(into, from, table);
        }
    }
}

std::int64_t StoreCopy::add_experiment(std::int64_t from_id) {
    experiment_.copy(from_id, 0);
    const std::int64_t id = last_id(into_);
    for (TableCopy& table : designs_) {
        table.copy(from_id, id);
    }
    return id;
}

void StoreCopy::add_run(std::int64_t from_id, std::int64_t into_experiment, bool has_events) {
    run_.copy(from_id, into_experiment);
    const std::int64_t id = last_id(into_);
    for (TableCopy& table : children_) {
        table.copy(from_id, id);
    }
    if (has_events) {
        events_.copy(from_id, id);
    }
}

bool StoreCopy::complete_events(std::int64_t from_id, std::int64_t into_id) {
    return !events_.has_rows(into_id) && events_.copy(from_id, into_id) > 0;
}

std::optional<std::string>
StoreCopy::experiment_difference(std::int64_t into_id, std::int64_t from_id) {
    if (!experiment_.is_same(into_id, from_id)) {
        return experiment_.name();
    }
    return first_difference(designs_, into_id, from_id);
}

std::optional<std::string> StoreCopy::run_difference(std::int64_t into_id, std::int64_t from_id) {
    if (!run_.is_same(into_id, from_id)) {
        return run_.name();
    }
    if (auto table = first_difference(children_, into_id, from_id)) {
        return table;
    }
    has_events_.bind(1, from_id);
    const bool both_have = has_events_.next() && events_.has_rows(into_id);
    has_events_.reset();
    return both_have && !events_.is_same(into_id, from_id) ? std::optional(events_.name())
                                                           : std::nullopt;
}

} // namespace kvprof::db
