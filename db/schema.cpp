#include "db/schema.h"

#include "capture/model/error.h"
#include "db/connection.h"
#include "db/migrations.h"

#include <fmt/format.h>

#include <string>

namespace kvprof::db {

namespace {

std::int64_t integer_of(Connection& connection, const std::string& sql) {
    Query query(connection, sql);
    return query.next() ? query.integer(0) : 0;
}

/// What a file says that it is.
struct Marks {
    std::int64_t application = 0;
    std::int64_t version = 0;
    std::int64_t tables = 0;

    /// A file that SQLite has made but that no transaction of any program has reached.
    [[nodiscard]] bool is_blank() const { return application == 0 && tables == 0; }
};

/// In one transaction: another process may be making the store just now, and half of it seen before
/// and half of it after would look like another program's file.
Marks marks_of(Connection& connection) {
    Transaction snapshot(connection, Transaction::Kind::read);
    return {
        .application = integer_of(connection, "PRAGMA application_id"),
        .version = integer_of(connection, "PRAGMA user_version"),
        .tables = integer_of(connection, "SELECT count(*) FROM sqlite_schema")};
}

void refuse_foreign(const Connection& connection, const Marks& marks) {
    if (marks.application != kApplicationId && !marks.is_blank()) {
        throw StoreError(
            fmt::format(
                "could not open the store {}: it is a database of another program (application id "
                "{:#x}, kvprof's is {:#x})",
                connection.path().string(),
                marks.application,
                kApplicationId
            ),
            "name another file with --db"
        );
    }
}

void refuse_newer(Connection& connection, std::int64_t version) {
    if (version > schema_version()) {
        throw StoreError(
            fmt::format(
                "could not open the store {}: it has schema {}, and this kvprof knows schemas up "
                "to {}",
                connection.path().string(),
                version,
                schema_version()
            ),
            "use the newer kvprof that wrote it, or another --db"
        );
    }
}

void migrate(Connection& connection) {
    Transaction transaction(connection, Transaction::Kind::write);
    // Another process may have done it while this one waited for the lock.
    const std::int64_t version = integer_of(connection, "PRAGMA user_version");
    std::int64_t reached = 0;
    for (const auto& [name, sql] : kMigrations) {
        if (++reached > version) {
            connection.execute(std::string(sql));
        }
    }
    connection.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
    connection.execute(fmt::format("PRAGMA user_version = {}", schema_version()));
    transaction.commit();
}

} // namespace

std::int64_t schema_version() {
    return static_cast<std::int64_t>(kMigrations.size());
}

void refuse_foreign(Connection& connection) {
    refuse_foreign(connection, marks_of(connection));
}

void prepare_schema(Connection& connection, OpenMode mode) {
    const Marks marks = marks_of(connection);
    refuse_foreign(connection, marks);
    refuse_newer(connection, marks.version);
    if (marks.version == schema_version()) {
        return;
    }
    if (mode == OpenMode::create) {
        migrate(connection);
        return;
    }
    if (marks.is_blank()) {
        throw StoreError(
            fmt::format(
                "could not open the store {}: the file is empty", connection.path().string()
            ),
            "start a store with: kvprof run"
        );
    }
    if (mode == OpenMode::read) {
        connection.continue_in_memory();
    }
    migrate(connection);
}

} // namespace kvprof::db
