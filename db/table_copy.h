#pragma once

#include "db/raw_statement.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::db {

/// The rows of one table that belong to one row of another: the samples of a run.
struct OwnedTable {
    std::string name;
    std::string key;   ///< column that chooses the rows: "run_id", or "id" for the row itself
    std::string owner; ///< column that names the owner in the copy; empty: the row has none
};

/// The tables whose rows belong to a run (without the run's own row, tags and baselines), so that a
/// later schema's tables are copied too.
[[nodiscard]] std::vector<OwnedTable> tables_of_run(Connection& connection);

/// Copies and compares rows of one table of two stores with the same schema. Internal to db/; the
/// caller holds a transaction on both.
class TableCopy {
  public:
    /// `skipped` is a column that does not count when rows are compared.
    TableCopy(
        Connection& into, Connection& from, const OwnedTable& table, const std::string& skipped = {}
    );

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Copies the rows with this key in `from`, as rows of `owner`; returns how many.
    std::int64_t copy(std::int64_t from_key, std::int64_t owner);
    /// Whether the rows with these keys have the same content, in the order of the primary key.
    [[nodiscard]] bool is_same(std::int64_t into_key, std::int64_t from_key);
    /// Whether the receiving store has a row with this key.
    [[nodiscard]] bool has_rows(std::int64_t into_key);

  private:
    std::string name_;
    bool has_owner_;
    int skipped_ = -1;
    RawStatement rows_;     ///< of `from`
    RawStatement own_rows_; ///< of `into`
    RawStatement insert_;
};

} // namespace kvprof::db
