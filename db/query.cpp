#include "db/connection.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <cmath>
#include <limits>

namespace kvprof::db {

Query::Query(Connection& connection, const std::string& sql)
    : connection_(connection),
      sql_(sql) {
    try {
        statement_ = std::make_unique<SQLite::Statement>(connection.database(), sql);
    } catch (const SQLite::Exception& failure) {
        connection_.fail(failure, sql_);
    }
}

Query::~Query() = default;

bool Query::next() {
    try {
        return statement_->executeStep();
    } catch (const SQLite::Exception& failure) {
        connection_.fail(failure, sql_);
    }
}

void Query::run() {
    while (next()) {
    }
    reset();
}

void Query::reset() noexcept {
    // The failure that it could report has been reported by next().
    static_cast<void>(statement_->tryReset());
}

std::int64_t Query::integer(int column) const {
    return statement_->getColumn(column).getInt64();
}

std::string Query::text(int column) const {
    return statement_->getColumn(column).getString();
}

std::optional<std::string> Query::optional_text(int column) const {
    const auto value = statement_->getColumn(column);
    return value.isNull() ? std::nullopt : std::optional(value.getString());
}

std::optional<std::int64_t> Query::optional_integer(int column) const {
    const auto value = statement_->getColumn(column);
    return value.isNull() ? std::nullopt : std::optional<std::int64_t>(value.getInt64());
}

std::optional<double> Query::optional_real(int column) const {
    const auto value = statement_->getColumn(column);
    return value.isNull() ? std::nullopt : std::optional(value.getDouble());
}

std::chrono::nanoseconds Query::duration(int column) const {
    return std::chrono::nanoseconds(integer(column));
}

std::optional<std::chrono::nanoseconds> Query::optional_duration(int column) const {
    const auto count = optional_integer(column);
    return count ? std::optional(std::chrono::nanoseconds(*count)) : std::nullopt;
}

void Query::bind(int index, std::int64_t value) {
    statement_->bind(index, value);
}

void Query::bind(int index, std::string_view value) {
    statement_->bind(index, std::string(value));
}

void Query::bind(int index, const std::optional<std::string>& value) {
    if (value) {
        bind(index, std::string_view(*value));
    } else {
        statement_->bind(index);
    }
}

void Query::bind(int index, const std::optional<double>& value) {
    if (!value) {
        statement_->bind(index);
    } else if (std::isnan(*value)) {
        // SQLite turns NaN into NULL, which would read as "was not computed".
        statement_->bind(index, std::numeric_limits<double>::infinity());
    } else {
        statement_->bind(index, *value);
    }
}

void Query::bind(int index, const std::optional<std::int64_t>& value) {
    if (value) {
        bind(index, *value);
    } else {
        statement_->bind(index);
    }
}

void Query::bind(int index, const std::optional<std::chrono::nanoseconds>& value) {
    bind(index, value ? std::optional<std::int64_t>(value->count()) : std::nullopt);
}

Transaction::Transaction(Connection& connection, Kind kind)
    : connection_(connection) {
    if (kind == Kind::read && sqlite3_get_autocommit(connection.database().getHandle()) == 0) {
        is_open_ = false;
        return;
    }
    connection_.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
    if (is_open_) {
        connection_.rollback();
    }
}

void Transaction::commit() {
    connection_.execute("COMMIT");
    is_open_ = false;
}

} // namespace kvprof::db
