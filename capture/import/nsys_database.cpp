#include "capture/import/nsys_database.h"

#include "capture/import/refused.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <fstream>
#include <utility>

namespace kvprof::import {

namespace {

constexpr int kLongestValue = 64 << 20; // bytes of one value or row
constexpr int kLongestSql = 1 << 20;    // bytes of a statement of the file's schema
constexpr int kDeepestExpression = 100;

/// A file beside `path` that SQLite would have to take up: it begins with a byte that is not 0.
bool has_log(const std::filesystem::path& path, const char* suffix) {
    std::ifstream log(path.string() + suffix, std::ios::binary);
    char first = 0;
    return log.get(first) && first != 0;
}

std::string uri_of(const std::filesystem::path& path, bool is_immutable) {
    std::string uri = "file:";
    for (const char letter : std::filesystem::absolute(path).string()) {
        if (letter == '?' || letter == '#' || letter == '%') {
            uri += fmt::format("%{:02x}", static_cast<unsigned>(letter));
        } else {
            uri += letter;
        }
    }
    // readonly_shm: the index of a log that is not there is not made.
    return uri + (is_immutable ? "?mode=ro&immutable=1" : "?mode=ro&readonly_shm=1");
}

[[noreturn]] void refuse_in_use(const std::filesystem::path& file) {
    throw RefusedError(
        "sqlite-in-use",
        fmt::format(
            "could not read {}: changes of another program lie beside it in a -wal or -journal "
            "file",
            file.string()
        ),
        "close that program, or export the report again with: nsys export --type sqlite"
    );
}

[[noreturn]] void fail(const std::filesystem::path& file, int code) {
    const char* cause = sqlite3_errstr(code); // the long message may hold text of the file
    switch (code & 0xff) {
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        throw UsageError(
            fmt::format("could not open {}: {}", file.string(), cause),
            "check the path and its permissions"
        );
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY: refuse_in_use(file);
    case SQLITE_TOOBIG:
        throw RefusedError(
            "too-long",
            fmt::format(
                "could not read {}: one of its texts is longer than {} bytes",
                file.string(),
                kLongestValue
            ),
            "export the report again with: nsys export --type sqlite"
        );
    default:
        throw RefusedError(
            "sqlite-malformed",
            fmt::format("could not read {}: {}", file.string(), cause),
            "export the report again with: nsys export --type sqlite"
        );
    }
}

void harden(SQLite::Database& database) {
    sqlite3* handle = database.getHandle();
    for (const auto& [option, value] :
         {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
          std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
          std::pair{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
          std::pair{SQLITE_DBCONFIG_ENABLE_VIEW, 0},
          std::pair{SQLITE_DBCONFIG_DQS_DML, 0}}) {
        sqlite3_db_config(handle, option, value, nullptr);
    }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, kLongestSql);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, kDeepestExpression);
    database.exec("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON"
    );
    // One state of the file for all that is read, whoever else writes into its log.
    database.exec("BEGIN");
    database.execAndGet("SELECT count(*) FROM main.sqlite_master");
}

} // namespace

NsysDatabase::NsysDatabase(const std::filesystem::path& file, std::filesystem::path shown_as)
    : shown_as_(std::move(shown_as)),
      input_(file) {
    const bool has_wal = has_log(file, "-wal");
    if (!has_wal && has_log(file, "-journal")) {
        refuse_in_use(shown_as_); // immutable, SQLite would read what was half written
    }
    is_immutable_ = !has_wal;
    try {
        database_ = std::make_unique<SQLite::Database>(
            uri_of(file, is_immutable_),
            SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLITE_OPEN_NOMUTEX
        );
        harden(*database_);
    } catch (const SQLite::Exception& failure) {
        if (has_wal && (failure.getErrorCode() & 0xff) == SQLITE_CANTOPEN) {
            refuse_in_use(shown_as_); // the log's index is not there and may not be made
        }
        fail(shown_as_, failure.getErrorCode());
    }
}

NsysDatabase::~NsysDatabase() = default;

void NsysDatabase::check_unchanged() const {
    if (is_immutable_) { // otherwise SQLite's lock keeps the state that was opened
        input_.check_unchanged();
    }
}

void FinalizeRows::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement); // repeats the last step's failure, which was reported
}

NsysRows::NsysRows(NsysDatabase& database, const std::string& sql)
    : database_(database) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(
        database.sqlite().getHandle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr
    );
    statement_.reset(statement);
    check(result);
}

void NsysRows::bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), index, value));
}

void NsysRows::bind(int index, std::string_view value) {
    check(sqlite3_bind_text64(
        statement_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8
    ));
}

bool NsysRows::next() {
    const int result = sqlite3_step(statement_.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        check(result);
    }
    return result == SQLITE_ROW;
}

void NsysRows::reset() noexcept {
    sqlite3_reset(statement_.get());
}

bool NsysRows::is_null(int column) const noexcept {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool NsysRows::is_integer(int column) const noexcept {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
}

bool NsysRows::is_text(int column) const noexcept {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

std::int64_t NsysRows::integer(int column) const noexcept {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string_view NsysRows::text(int column) const noexcept {
    const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    if (bytes == nullptr) {
        return {};
    }
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

void NsysRows::check(int result) {
    if (result != SQLITE_OK) {
        fail(database_.file(), result);
    }
}

std::string sql_name(std::string_view name) {
    std::string text = "\"";
    for (const char letter : name) {
        text += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return text + '"';
}

} // namespace kvprof::import
