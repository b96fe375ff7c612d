#include "db/schema.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

namespace kvprof::db {
namespace {

using test::filled_experiment;
using test::traced_run;
using test::uuid_of;

/// A store that the program of schema 1 made: filled_experiment(), and the tag "first" of its run.
class VersionOneStore : public testing::Test {
  protected:
    test::StoreFolder folder_;

    VersionOneStore() {
        std::filesystem::copy_file(
            std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "store" / "version_1.db",
            folder_.file()
        );
    }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(folder_.file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    [[nodiscard]] std::int64_t version() const {
        SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
        return raw.execAndGet("PRAGMA user_version").getInt64();
    }
};

TEST_F(VersionOneStore, IsOfSchemaOne) {
    EXPECT_EQ(version(), 1);
    EXPECT_GT(schema_version(), 1);
}

TEST_F(VersionOneStore, IsReadAndLeftAsItIs) {
    const std::string before = bytes();
    {
        const Store store(folder_.file(), OpenMode::read);
        EXPECT_EQ(store.load_experiment(uuid_of('e')), filled_experiment());
        EXPECT_EQ(store.tags().at(0).name, "first");
        EXPECT_THAT(store.load_events(uuid_of('a')), testing::IsEmpty());
    }
    EXPECT_EQ(bytes(), before);
}

TEST_F(VersionOneStore, IsBroughtUpToDateByAWriter) {
    for (const OpenMode mode : {OpenMode::write, OpenMode::create}) {
        Store(folder_.file(), mode).tag("second", uuid_of('b'));
        EXPECT_EQ(version(), schema_version());
    }
    const Store store(folder_.file(), OpenMode::read);
    EXPECT_EQ(store.load_experiment(uuid_of('e')), filled_experiment());
    EXPECT_EQ(store.tags().size(), 2U);
}

TEST_F(VersionOneStore, TakesATracedRunBesideTheOldOnes) {
    Store store(folder_.file(), OpenMode::write);
    store.add_run(uuid_of('e'), traced_run());
    EXPECT_EQ(store.load_runs({uuid_of('4')}).front().kernels, traced_run().kernels);
    EXPECT_EQ(store.load_events(uuid_of('4')), traced_run().events);
    EXPECT_EQ(store.load_runs({uuid_of('a')}).front(), test::filled_run());
}

TEST_F(VersionOneStore, HasTheTablesOfAFreshStoreAfterwards) {
    const auto schema_of = [](const std::filesystem::path& path) {
        SQLite::Database raw(path.string(), SQLite::OPEN_READONLY);
        return raw
            .execAndGet("SELECT group_concat(name || ' ' || sql, char(10)) FROM "
                        "(SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name)")
            .getString();
    };
    { const Store store(folder_.file(), OpenMode::write); }
    { const Store store(folder_.file("fresh.db"), OpenMode::create); }
    EXPECT_EQ(schema_of(folder_.file()), schema_of(folder_.file("fresh.db")));
}

TEST_F(VersionOneStore, IsReadFromAFileThatCanNotBeWritten) {
    ASSERT_EQ(chmod(folder_.file().c_str(), 0444), 0);
    EXPECT_EQ(
        Store(folder_.file(), OpenMode::read).load_experiment(uuid_of('e')), filled_experiment()
    );
}

} // namespace
} // namespace kvprof::db
