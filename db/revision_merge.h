#pragma once

#include "db/store.h"

#include <vector>

namespace kvprof::db {

class Connection;

// Revisions of baselines from another store; internal to db/. The caller holds the transaction.

/// Whether one of the stored revisions is this one: of the same name, set at the same time, and its
/// runs the same. Runs may have been removed from either since it was set.
[[nodiscard]] bool holds(const std::vector<Baseline>& stored, const Baseline& revision);

/// Adds revisions, of which all runs are stored, each after those that were set before it; the
/// revisions of that name are numbered anew.
/// `stored` is what Store::baselines() gives. @throws StoreError
void add_revisions(
    Connection& connection, const std::vector<Baseline>& stored, const std::vector<Baseline>& fresh
);

} // namespace kvprof::db
