#include "db/sqlite_error.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

namespace kvprof::db {

namespace {

struct Cause {
    std::string text;
    std::string hint;
};

/// Some calls report an extended code, which holds the primary one in its low byte.
int primary_code(const SQLite::Exception& failure) {
    return failure.getErrorCode() & 0xff;
}

Cause cause_of(const SQLite::Exception& failure) {
    switch (primary_code(failure)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {
            "locked by another process",
            "wait until the other kvprof ends, or choose another --db"};
    case SQLITE_NOTADB:
        return {"not a kvprof store (no SQLite database)", "name another file with --db"};
    case SQLITE_CORRUPT:
        return {
            "the file is damaged",
            "save what is readable with: sqlite3 FILE .recover; then start a new --db"};
    case SQLITE_FULL:
        return {"the disk is full", "free space on that disk, or choose another --db"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {"no permission to write there", "choose a writable place with --db or KVPROF_DB"};
    case SQLITE_CANTOPEN:
        return {
            "the file or its folder can not be opened",
            "check the path and its permissions, or choose another --db"};
    case SQLITE_IOERR:
        return {
            fmt::format("the disk reported an error ({})", failure.what()),
            "check the disk, or choose another --db"};
    default: return {failure.what(), "name another file with --db"};
    }
}

} // namespace

bool is_damage(const SQLite::Exception& failure) {
    return primary_code(failure) == SQLITE_CORRUPT;
}

StoreError store_error(
    const SQLite::Exception& failure,
    const std::filesystem::path& path,
    std::string_view sql,
    const std::string& damage
) {
    auto [text, hint] = cause_of(failure);
    if (!damage.empty()) {
        text += fmt::format(" ({})", damage);
    }
    // A migration is pages of it, and helps nobody.
    constexpr std::size_t kLongest = 120;
    const bool is_shown = !sql.empty() && sql.size() <= kLongest;
    const std::string statement = is_shown ? fmt::format(" [SQL: {}]", sql) : std::string();
    StoreError error(
        fmt::format("could not use the store {}: {}{}", path.string(), text, statement), hint
    );
    return error;
}

} // namespace kvprof::db
