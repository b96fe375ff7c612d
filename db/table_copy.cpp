#include "db/table_copy.h"

#include "db/connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kvprof::db {

namespace {

/// What a copied row holds: every column but the row id of its own file and its owner's.
struct Columns {
    std::vector<std::string> names;
    std::vector<std::string> order; ///< those of the primary key
};

Columns columns_of(Connection& connection, const OwnedTable& table) {
    Columns columns;
    Query rows(connection, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid");
    rows.with(table.name);
    while (rows.next()) {
        const std::string name = rows.text(0);
        if (name == table.key || name == table.owner) {
            continue;
        }
        columns.names.push_back(name);
        if (rows.integer(1) > 0) { // the keys of the schema are in the order of their columns
            columns.order.push_back(name);
        }
    }
    return columns;
}

std::string select_sql(const OwnedTable& table, const Columns& columns) {
    const std::string order =
        columns.order.empty() ? "" : fmt::format(" ORDER BY {}", fmt::join(columns.order, ", "));
    return fmt::format(
        "SELECT {} FROM {} WHERE {} = ?{}",
        fmt::join(columns.names, ", "),
        table.name,
        table.key,
        order
    );
}

std::string insert_sql(const OwnedTable& table, const Columns& columns) {
    std::vector<std::string> names = columns.names;
    if (!table.owner.empty()) {
        names.insert(names.begin(), table.owner);
    }
    const std::vector<std::string> places(names.size(), "?");
    return fmt::format(
        "INSERT INTO {}({}) VALUES({})", table.name, fmt::join(names, ", "), fmt::join(places, ", ")
    );
}

} // namespace

std::vector<OwnedTable> tables_of_run(Connection& connection) {
    std::vector<OwnedTable> tables;
    Query rows(
        connection,
        "SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND c.name = 'run_id' "
        "AND t.name NOT IN ('tag', 'baseline_run') ORDER BY t.rowid"
    );
    while (rows.next()) {
        tables.push_back({rows.text(0), "run_id", "run_id"});
    }
    return tables;
}

TableCopy::TableCopy(
    Connection& into, Connection& from, const OwnedTable& table, const std::string& skipped
)
    : name_(table.name),
      has_owner_(!table.owner.empty()),
      rows_(from, select_sql(table, columns_of(into, table))),
      own_rows_(into, select_sql(table, columns_of(into, table))),
      insert_(into, insert_sql(table, columns_of(into, table))) {
    const std::vector<std::string> names = columns_of(into, table).names;
    const auto found = std::find(names.begin(), names.end(), skipped);
    if (found != names.end()) {
        skipped_ = static_cast<int>(found - names.begin());
    }
}

std::int64_t TableCopy::copy(std::int64_t from_key, std::int64_t owner) {
    std::int64_t copied = 0;
    rows_.bind(1, from_key);
    while (rows_.next()) {
        if (has_owner_) {
            insert_.bind(1, owner);
        }
        insert_.bind_row(has_owner_ ? 2 : 1, rows_);
        insert_.run();
        ++copied;
    }
    rows_.reset();
    return copied;
}

bool TableCopy::is_same(std::int64_t into_key, std::int64_t from_key) {
    own_rows_.bind(1, into_key);
    rows_.bind(1, from_key);
    bool is_same = true;
    bool has_row = true;
    while (is_same && has_row) {
        has_row = rows_.next();
        is_same = own_rows_.next() == has_row;
        for (int column = 0; is_same && has_row && column < rows_.columns(); ++column) {
            is_same = column == skipped_ || own_rows_.has_same(column, rows_);
        }
    }
    own_rows_.reset();
    rows_.reset();
    return is_same;
}

bool TableCopy::has_rows(std::int64_t into_key) {
    own_rows_.bind(1, into_key);
    const bool has_rows = own_rows_.next();
    own_rows_.reset();
    return has_rows;
}

} // namespace kvprof::db
