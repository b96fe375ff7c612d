#include "db/connection.h"

#include "db/schema.h"
#include "db/sqlite_error.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <system_error>
#include <thread>
#include <utility>

namespace kvprof::db {

namespace {

void make_parent_folder(const std::filesystem::path& path) {
    if (!path.has_parent_path()) {
        return;
    }
    std::error_code failure;
    std::filesystem::create_directories(path.parent_path(), failure);
    if (failure) {
        throw StoreError(
            fmt::format(
                "could not create the store {}: its folder can not be made: {}",
                path.string(),
                failure.message()
            ),
            "choose a writable place with --db or KVPROF_DB"
        );
    }
}

void require_file(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) {
        throw StoreError(
            fmt::format("could not open the store {}: it is a folder", path.string()),
            "name the database file with --db"
        );
    }
    if (!std::filesystem::exists(status)) {
        throw StoreError(
            fmt::format("could not open the store {}: there is no such file", path.string()),
            "start one with: kvprof run; or name another with --db"
        );
    }
}

/// The form of a path in which SQLite takes options.
std::string immutable_uri(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char letter : std::filesystem::absolute(path).string()) {
        if (letter == '?' || letter == '#' || letter == '%') {
            uri += fmt::format("%{:02x}", static_cast<unsigned>(letter));
        } else {
            uri += letter;
        }
    }
    return uri + "?immutable=1";
}

bool has_unmerged_log(const std::filesystem::path& path) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(path.string() + "-wal", failure);
    return !failure && size > 0;
}

} // namespace

Connection::Connection(
    std::filesystem::path path, OpenMode mode, std::chrono::milliseconds lock_wait
)
    : path_(std::move(path)) {
    if (mode == OpenMode::create) {
        make_parent_folder(path_);
    }
    if (mode != OpenMode::create || std::filesystem::is_directory(path_)) {
        require_file(path_);
    }
    try {
        open(mode, lock_wait);
    } catch (const SQLite::Exception& failure) {
        if (database_ != nullptr) {
            fail(failure, {});
        }
        throw store_error(failure, path_, {});
    }
    prepare_schema(*this, mode);
}

Connection::~Connection() = default;

void Connection::open(OpenMode mode, std::chrono::milliseconds lock_wait) {
    const int lock_wait_ms = static_cast<int>(lock_wait.count());
    if (mode == OpenMode::read) {
        open_read_only(lock_wait_ms);
        return;
    }
    const int create = mode == OpenMode::create ? SQLite::OPEN_CREATE : 0;
    database_ = std::make_unique<SQLite::Database>(
        path_.string(), SQLite::OPEN_READWRITE | create, lock_wait_ms
    );
    // Before anything is written: another program's database must stay as it is.
    refuse_foreign(*this);
    use_wal(lock_wait);
    database_->exec("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL");
}

void Connection::open_read_only(int lock_wait_ms) {
    database_ =
        std::make_unique<SQLite::Database>(path_.string(), SQLite::OPEN_READONLY, lock_wait_ms);
    try {
        database_->execAndGet("PRAGMA schema_version");
    } catch (const SQLite::Exception& failure) {
        // A reader of a WAL database shares a file beside it. Where that file can not be made, on a
        // read-only disk, nobody can be writing either.
        const int code = failure.getErrorCode();
        const bool is_read_only = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!is_read_only || has_unmerged_log(path_)) {
            throw;
        }
        database_ = std::make_unique<SQLite::Database>(
            immutable_uri(path_), SQLite::OPEN_READONLY | SQLite::OPEN_URI, lock_wait_ms
        );
    }
}

void Connection::use_wal(std::chrono::milliseconds lock_wait) {
    // SQLite does not wait for its busy timeout when two processes switch a new file at once.
    constexpr std::chrono::milliseconds kPause{10};
    for (auto waited = std::chrono::milliseconds{0};; waited += kPause) {
        try {
            database_->exec("PRAGMA journal_mode = WAL");
            return;
        } catch (const SQLite::Exception& failure) {
            if (failure.getErrorCode() != SQLITE_BUSY || waited >= lock_wait) {
                throw;
            }
            std::this_thread::sleep_for(kPause);
        }
    }
}

void Connection::execute(const std::string& sql) {
    try {
        database_->exec(sql);
    } catch (const SQLite::Exception& failure) {
        fail(failure, sql);
    }
}

void Connection::rollback() noexcept {
    // Fails only when SQLite has rolled back by itself, as it does on a full disk.
    static_cast<void>(database_->tryExec("ROLLBACK"));
}

void Connection::fail(const SQLite::Exception& failure, std::string_view sql) {
    std::string damage;
    if (is_damage(failure)) {
        try {
            damage = database_->execAndGet("PRAGMA quick_check(1)").getString();
        } catch (const SQLite::Exception& check) {
            damage = check.what();
        }
    }
    throw store_error(failure, path_, sql, damage);
}

} // namespace kvprof::db
