#include "db/connection.h"

#include "db/schema.h"
#include "db/sqlite_error.h"

#include <SQLiteCpp/Backup.h>
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

void require_file(const std::filesystem::path& path, OpenMode mode) {
    using std::filesystem::file_type;
    const auto refuse = [&](const std::string& why, const char* hint) {
        throw StoreError(fmt::format("could not open the store {}: {}", path.string(), why), hint);
    };
    std::error_code failure;
    const file_type type = std::filesystem::status(path, failure).type();
    if (type == file_type::none) {
        refuse(failure.message(), "check the path and its permissions, or choose another --db");
    } else if (type == file_type::directory) {
        refuse("it is a folder", "name the database file with --db");
    } else if (type == file_type::not_found && mode != OpenMode::create) {
        refuse("there is no such file", "start one with: kvprof run; or name another with --db");
    } else if (type != file_type::not_found && type != file_type::regular) {
        refuse("it is no regular file", "name the database file with --db");
    }
}

/// A name that SQLite takes for nothing but a file: ":memory:" would keep no run.
std::string file_name(const std::filesystem::path& path) {
    std::error_code failure;
    const auto absolute = std::filesystem::absolute(path, failure);
    return failure ? path.string() : absolute.string();
}

/// The form of a path in which SQLite takes options.
std::string immutable_uri(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char letter : file_name(path)) {
        if (letter == '?' || letter == '#' || letter == '%') {
            uri += fmt::format("%{:02x}", static_cast<unsigned>(letter));
        } else {
            uri += letter;
        }
    }
    return uri + "?immutable=1";
}

/// A store is used by one thread at a time: SQLite need not lock itself in every call.
constexpr int kOneThread = SQLITE_OPEN_NOMUTEX;

bool has_unmerged_log(const std::filesystem::path& path) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(path.string() + "-wal", failure);
    return !failure && size > 0;
}

} // namespace

Connection::Connection(
    std::filesystem::path path,
    OpenMode mode,
    std::chrono::milliseconds lock_wait,
    const std::filesystem::path& shown_as
)
    : path_(shown_as.empty() ? path : shown_as) {
    if (mode == OpenMode::create) {
        make_parent_folder(path);
    }
    require_file(path, mode);
    try {
        open(path, mode, lock_wait);
    } catch (const SQLite::Exception& failure) {
        if (database_ != nullptr) {
            fail(failure, {});
        }
        throw store_error(failure, path_, {});
    }
    prepare_schema(*this, mode);
}

Connection::~Connection() = default;

void Connection::open(
    const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds lock_wait
) {
    const int lock_wait_ms = static_cast<int>(lock_wait.count());
    if (mode == OpenMode::read) {
        open_read_only(file, lock_wait_ms);
        return;
    }
    const int create = mode == OpenMode::create ? SQLite::OPEN_CREATE : 0;
    database_ = std::make_unique<SQLite::Database>(
        file_name(file), SQLite::OPEN_READWRITE | create | kOneThread, lock_wait_ms
    );
    // Before anything is written: another program's database must stay as it is.
    refuse_foreign(*this);
    use_wal(lock_wait);
    database_->exec("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL");
}

void Connection::open_read_only(const std::filesystem::path& file, int lock_wait_ms) {
    // Not SQLITE_OPEN_READONLY: whoever closes the file last removes the log beside it, and has to
    // be allowed to. Where the file can not be written SQLite opens it for reading by itself.
    database_ = std::make_unique<SQLite::Database>(
        file_name(file), SQLite::OPEN_READWRITE | kOneThread, lock_wait_ms
    );
    try {
        database_->exec("PRAGMA query_only = ON");
        database_->execAndGet("PRAGMA schema_version");
    } catch (const SQLite::Exception& failure) {
        // A reader of a WAL database shares a file beside it. Where that file can not be made, on a
        // read-only disk, nobody can be writing either.
        const int code = failure.getErrorCode();
        const bool is_read_only = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!is_read_only || has_unmerged_log(file)) {
            throw;
        }
        database_ = std::make_unique<SQLite::Database>(
            immutable_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI | kOneThread, lock_wait_ms
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

void Connection::continue_in_memory() {
    try {
        auto copy = std::make_unique<SQLite::Database>(
            ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | kOneThread
        );
        const int result = SQLite::Backup(*copy, *database_).executeStep();
        if (result != SQLITE_DONE) { // busy or locked: it does not throw for these
            throw SQLite::Exception(sqlite3_errstr(result), result);
        }
        database_ = std::move(copy);
    } catch (const SQLite::Exception& failure) {
        fail(failure, {});
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
