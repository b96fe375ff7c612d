#include "db/sql.h"

#include "capture/model/error.h"
#include "db/connection.h"
#include "db/migrations.h"
#include "db/schema.h"
#include "db/sql_access.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

namespace kvprof::db {

namespace {

constexpr const char* kHint = "kvprof schema tables prints the tables and their columns";

/// Of the store or of the machine, not of the statement.
bool is_failure_of_store(int result) {
    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
    case SQLITE_FULL: return true;
    default: return false;
    }
}

/// " (line 1, column 8)", columns in characters; empty when the place is not known.
std::string place_of(std::string_view sql, std::ptrdiff_t at) {
    if (at < 0 || at > std::ssize(sql)) {
        return {};
    }
    const std::string_view before = sql.substr(0, static_cast<std::size_t>(at));
    const std::string_view line = before.substr(before.rfind('\n') + 1); // npos + 1 is 0
    const auto columns = std::count_if(line.begin(), line.end(), [](char letter) {
        return (static_cast<unsigned char>(letter) & 0xc0U) != 0x80U; // no byte within a character
    });
    return fmt::format(
        " (line {}, column {})", std::count(before.begin(), before.end(), '\n') + 1, columns + 1
    );
}

SqlValue value_at(sqlite3_stmt* row, int column) {
    const auto size = [&] { return static_cast<std::size_t>(sqlite3_column_bytes(row, column)); };
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(row, column)};
    case SQLITE_FLOAT: return sqlite3_column_double(row, column);
    case SQLITE_NULL: return {};
    case SQLITE_TEXT: {
        const void* text = sqlite3_column_text(row, column);
        return std::string(static_cast<const char*>(text), size());
    }
    default: {
        const void* bytes = sqlite3_column_blob(row, column); // null when there are none
        return SqlBlob{
            bytes == nullptr ? std::string()
                             : std::string(static_cast<const char*>(bytes), size())};
    }
    }
}

} // namespace

SqlQuery::SqlQuery(
    const std::filesystem::path& path,
    std::string_view sql,
    const std::vector<std::string>& parameters
)
    : sql_(sql) {
    connection_ = std::make_unique<Connection>(path, OpenMode::read, Store::kLockWait);
    connection_->execute("PRAGMA query_only = ON"); // a copy of an older store in memory, too
    access_ = std::make_unique<ReadAccess>(connection_->database().getHandle());
    prepare();
    bind(parameters);
    for (int column = 0; column < sqlite3_column_count(statement_.get()); ++column) {
        const char* name = sqlite3_column_name(statement_.get(), column);
        columns_.emplace_back(name == nullptr ? "" : name);
    }
}

SqlQuery::~SqlQuery() = default;

void SqlQuery::prepare() {
    if (sql_.find('\0') != std::string::npos) {
        throw UsageError("could not run the SQL: it holds a zero byte", kHint);
    }
    const char* end = sql_.data() + sql_.size();
    const char* rest = sql_.data();
    while (statement_ == nullptr && rest != end) { // semicolons and comments give no statement
        const std::ptrdiff_t start = rest - sql_.data();
        sqlite3* database = connection_->database().getHandle();
        sqlite3_stmt* statement = nullptr;
        const int result =
            sqlite3_prepare_v2(database, rest, static_cast<int>(end - rest), &statement, &rest);
        statement_.reset(statement);
        if (result != SQLITE_OK) {
            const int offset = sqlite3_error_offset(database);
            fail(result, offset < 0 ? -1 : start + offset);
        }
    }
    if (statement_ == nullptr) {
        throw UsageError("could not run the SQL: it holds no statement", kHint);
    }
    refuse_a_second(rest);
    if (sqlite3_stmt_readonly(statement_.get()) == 0) {
        throw UsageError(
            "could not run the SQL: it would change the store, and only reading is allowed", kHint
        );
    }
}

void SqlQuery::refuse_a_second(const char* rest) {
    const char* end = sql_.data() + sql_.size();
    while (rest != end) {
        const std::ptrdiff_t start = rest - sql_.data();
        sqlite3_stmt* statement = nullptr;
        const int result = sqlite3_prepare_v2(
            connection_->database().getHandle(),
            rest,
            static_cast<int>(end - rest),
            &statement,
            &rest
        );
        const StatementHandle second(statement);
        if (result != SQLITE_OK || second != nullptr) {
            throw UsageError(
                fmt::format(
                    "could not run the SQL: a second statement begins after the first one{}",
                    place_of(sql_, start)
                ),
                "give one statement; several queries in one are joined by UNION ALL"
            );
        }
    }
}

void SqlQuery::bind(const std::vector<std::string>& parameters) {
    const int places = sqlite3_bind_parameter_count(statement_.get());
    if (places != std::ssize(parameters)) {
        throw UsageError(
            fmt::format(
                "could not run the SQL: it has {} parameters, and {} values were given",
                places,
                parameters.size()
            ),
            "give a value for each ? of the statement"
        );
    }
    int index = 0;
    for (const std::string& value : parameters) {
        const int result = sqlite3_bind_text64(
            statement_.get(), ++index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8
        );
        if (result != SQLITE_OK) {
            fail(result, -1);
        }
    }
}

void SqlQuery::fail(int result, std::ptrdiff_t at) {
    sqlite3* database = connection_->database().getHandle();
    if (is_failure_of_store(result)) {
        connection_->fail(SQLite::Exception(database, result), sql_);
    }
    if (!access_->refused().empty()) {
        throw UsageError(
            fmt::format(
                "could not run the SQL: it would {}, and only reading is allowed",
                access_->refused()
            ),
            kHint
        );
    }
    throw UsageError(
        fmt::format("could not run the SQL: {}{}", sqlite3_errmsg(database), place_of(sql_, at)),
        kHint
    );
}

bool SqlQuery::next(SqlRow& row) {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_DONE) {
        return false;
    }
    if (result != SQLITE_ROW) {
        fail(result, -1);
    }
    row.clear();
    for (int column = 0; column < std::ssize(columns_); ++column) {
        row.push_back(value_at(statement_.get(), column));
    }
    return true;
}

std::string table_definitions() {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const auto& [name, sql] : kMigrations) {
        database.exec(std::string(sql));
    }
    std::string text = fmt::format(
        "PRAGMA application_id = {};\nPRAGMA user_version = {};\n", kApplicationId, schema_version()
    );
    SQLite::Statement rows(
        database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    );
    while (rows.executeStep()) {
        text += fmt::format("\n{};\n", rows.getColumn(0).getString());
    }
    return text;
}

} // namespace kvprof::db
