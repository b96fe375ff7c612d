#include "db/sql_access.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kvprof::db {

namespace {

/// They describe tables, with or without an argument.
constexpr std::array kDescribing{
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
    "foreign_key_check",
    "database_list",
    "function_list",
    "collation_list",
    "compile_options",
    "integrity_check",
    "quick_check"};

/// They tell a number, and set it with an argument.
constexpr std::array kTelling{
    "application_id",
    "user_version",
    "schema_version",
    "page_count",
    "page_size",
    "freelist_count",
    "encoding",
    "journal_mode"};

template<std::size_t N>
bool holds(const std::array<const char*, N>& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

bool is_pragma_that_reads(std::string_view name, const char* value) {
    return holds(kDescribing, name) || (value == nullptr && holds(kTelling, name));
}

bool only_reads(int action, std::string_view first, const char* second) {
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return true;
    // SQLite asks this while it describes a table that is a function, such as json_each. A
    // statement that did it would be refused for what it is.
    case SQLITE_UPDATE: return first == "sqlite_master";
    case SQLITE_FUNCTION: return std::string_view(second) != "load_extension";
    case SQLITE_PRAGMA: return is_pragma_that_reads(first, second);
    default: return false;
    }
}

/// What the statement would do, for a message.
std::string name_of(int action, std::string_view first) {
    switch (action) {
    case SQLITE_ATTACH: return "attach another database";
    case SQLITE_DETACH: return "detach a database";
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return first.starts_with("sqlite_") ? "change the tables themselves"
                                            : fmt::format("write to {}", first);
    case SQLITE_PRAGMA: return fmt::format("use the pragma {}", first);
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return "steer transactions";
    case SQLITE_FUNCTION: return "load a library";
    default: return "change the store";
    }
}

} // namespace

ReadAccess::ReadAccess(sqlite3* connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(connection, &ReadAccess::decide, this);
}

int ReadAccess::decide(
    void* self,
    int action,
    const char* first,
    const char* second,
    const char* /*database*/,
    const char* /*trigger*/
) {
    const std::string_view object = first == nullptr ? "" : first;
    if (only_reads(action, object, second)) {
        return SQLITE_OK;
    }
    std::string& refused = static_cast<ReadAccess*>(self)->refused_;
    if (refused.empty()) {
        refused = name_of(action, object);
    }
    return SQLITE_DENY;
}

} // namespace kvprof::db
