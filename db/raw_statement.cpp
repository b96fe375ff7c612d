#include "db/raw_statement.h"

#include "db/connection.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <cstring>
#include <utility>

namespace kvprof::db {

void FinalizeStatement::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement); // repeats the last step's failure, which was reported
}

RawStatement::RawStatement(Connection& connection, std::string sql)
    : connection_(connection),
      sql_(std::move(sql)) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(
        connection.database().getHandle(),
        sql_.data(),
        static_cast<int>(sql_.size()),
        &statement,
        nullptr
    );
    statement_.reset(statement);
    check(result);
}

void RawStatement::reset() noexcept {
    sqlite3_reset(statement_.get());
}

void RawStatement::bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), index, value));
}

void RawStatement::bind(int index, std::string_view value) {
    check(sqlite3_bind_text64(
        statement_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8
    ));
}

void RawStatement::bind_row(int index, const RawStatement& row) {
    for (int column = 0; column < row.columns(); ++column) {
        check(sqlite3_bind_value(
            statement_.get(), index + column, sqlite3_column_value(row.statement_.get(), column)
        ));
    }
}

bool RawStatement::next() {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_DONE || result == SQLITE_ROW) {
        return result == SQLITE_ROW;
    }
    check(result);
    return false;
}

void RawStatement::run() {
    while (next()) {
    }
    reset();
}

int RawStatement::columns() const noexcept {
    return sqlite3_column_count(statement_.get());
}

bool RawStatement::has_same(int column, const RawStatement& other) const noexcept {
    sqlite3_stmt* mine = statement_.get();
    sqlite3_stmt* theirs = other.statement_.get();
    const int kind = sqlite3_column_type(mine, column);
    if (kind != sqlite3_column_type(theirs, column)) {
        return false;
    }
    switch (kind) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(mine, column) == sqlite3_column_int64(theirs, column);
    case SQLITE_FLOAT:
        return sqlite3_column_double(mine, column) == sqlite3_column_double(theirs, column);
    case SQLITE_NULL: return true;
    default: break;
    }
    const void* bytes = sqlite3_column_blob(mine, column); // before the size, as SQLite asks for
    const void* their_bytes = sqlite3_column_blob(theirs, column);
    const int size = sqlite3_column_bytes(mine, column);
    return size == sqlite3_column_bytes(theirs, column)
           && (size == 0 || std::memcmp(bytes, their_bytes, static_cast<std::size_t>(size)) == 0);
}

void RawStatement::check(int result) {
    if (result != SQLITE_OK) {
        connection_.fail(SQLite::Exception(connection_.database().getHandle(), result), sql_);
    }
}

} // namespace kvprof::db
