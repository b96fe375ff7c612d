#include "tests/import/nsys_export.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace kvprof::test {

namespace {

constexpr const char* kTables = R"(
    CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE META_DATA_EXPORT(name TEXT NOT NULL, value TEXT);
    INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION', '2026.2.1.210');
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(
        start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
        contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
        demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, graphNodeId INTEGER);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(
        start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
        globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);
)";

} // namespace

NsysExport::NsysExport(const std::string& schema) {
    std::string name = (std::filesystem::temp_directory_path() / "kvprof-nsys-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("could not create a folder for the test");
    }
    folder_ = name;
    file_ = folder_ / "report.sqlite";
    database_ = std::make_unique<SQLite::Database>(
        file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE
    );
    run("PRAGMA synchronous = OFF");
    run(kTables);
    if (!schema.empty()) {
        run("INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA_VERSION', '" + schema + "')");
    }
}

NsysExport::~NsysExport() {
    database_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void NsysExport::run(const std::string& sql) {
    database_->exec(sql);
}

std::int64_t NsysExport::text(const std::string& value) {
    SQLite::Statement insert(*database_, "INSERT INTO StringIds VALUES(?, ?)");
    insert.bind(1, ++texts_);
    insert.bind(2, value);
    insert.exec();
    return texts_;
}

void NsysExport::call(const Call& call) {
    SQLite::Statement insert(
        *database_,
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(start, end, eventClass, globalTid, correlationId, "
        "nameId) VALUES(?, ?, ?, ?, ?, ?)"
    );
    insert.bind(1, call.start);
    insert.bind(2, call.end);
    insert.bind(3, call.event_class);
    insert.bind(4, global(call.pid, call.pid));
    insert.bind(5, call.correlation);
    insert.bind(6, text(call.name));
    insert.exec();
}

void NsysExport::kernel(const Kernel& kernel) {
    SQLite::Statement insert(
        *database_,
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId, "
        "globalPid, demangledName, shortName, graphNodeId) VALUES(?, ?, ?, 7, ?, ?, ?, 0, ?)"
    );
    insert.bind(1, kernel.start);
    insert.bind(2, kernel.end);
    insert.bind(3, kernel.device);
    insert.bind(4, kernel.correlation);
    insert.bind(5, global(kernel.pid));
    insert.bind(6, text(kernel.name));
    insert.bind(7, kernel.node);
    insert.exec();
}

const std::filesystem::path& NsysExport::close() {
    database_.reset();
    return file_;
}

std::int64_t NsysExport::global(std::int64_t pid, std::int64_t tid) {
    constexpr std::int64_t kMachine = std::int64_t{1} << 48;
    return kMachine | (pid << 24) | tid;
}

} // namespace kvprof::test
