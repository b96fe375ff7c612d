#include "db/sql.h"

#include "capture/model/error.h"
#include "db/schema.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/db/two_stores.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>

namespace kvprof::db {
namespace {

using test::error_of;
using test::experiment_of;
using test::make_store;
using test::uuid_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreSql : public testing::Test {
  protected:
    test::StoreFolder folder_;
    std::filesystem::path store_ = folder_.file();

    StoreSql() { make_store(store_, {experiment_of('e', "ab")}); }

    [[nodiscard]] std::vector<SqlRow>
    rows(const std::string& sql, const std::vector<std::string>& parameters = {}) const {
        SqlQuery query(store_, sql, parameters);
        std::vector<SqlRow> rows;
        SqlRow row;
        while (query.next(row)) {
            rows.push_back(row);
        }
        return rows;
    }

    [[nodiscard]] std::string error(const std::string& sql) const {
        return error_of<UsageError>([&] { std::ignore = rows(sql); });
    }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(store_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(StoreSql, GivesColumnsAndValuesOfEachKind) {
    EXPECT_THAT(
        SqlQuery(store_, "SELECT uuid, position AS p, 1 + 1 FROM run").columns(),
        ElementsAre("uuid", "p", "1 + 1")
    );
    EXPECT_THAT(
        rows("SELECT NULL, 1 << 62, 0.1, 'a' || char(0) || 'b', x'00ff', '', x''"),
        ElementsAre(SqlRow{
            std::monostate{},
            std::int64_t{1} << 62,
            0.1,
            std::string("a\0b", 3),
            SqlBlob{std::string("\0\xff", 2)},
            std::string(),
            SqlBlob{}})
    );
    EXPECT_THAT(
        rows("SELECT uuid FROM run ORDER BY position"),
        ElementsAre(SqlRow{uuid_of('a')}, SqlRow{uuid_of('b')})
    );
}

TEST_F(StoreSql, HasColumnsAlsoWithoutRows) {
    SqlQuery query(store_, "SELECT uuid FROM run WHERE 0");
    EXPECT_THAT(query.columns(), ElementsAre("uuid"));
    SqlRow row;
    EXPECT_FALSE(query.next(row));
}

TEST_F(StoreSql, BindsValuesInOrder) {
    EXPECT_THAT(
        rows("SELECT uuid FROM run WHERE uuid = ? AND position = ?", {uuid_of('b'), "1"}),
        ElementsAre(SqlRow{uuid_of('b')})
    );
    EXPECT_THAT(
        rows("SELECT ?", {"'; DROP TABLE run; --"}), ElementsAre(SqlRow{"'; DROP TABLE run; --"})
    );
    EXPECT_THAT(error("SELECT ?"), HasSubstr("it has 1 parameters, and 0 values were given"));
}

TEST_F(StoreSql, ReadsTheTablesByTheirDescription) {
    EXPECT_EQ(rows("SELECT name FROM pragma_table_info('experiment')").size(), 7U);
    EXPECT_EQ(rows("PRAGMA table_info(experiment)").size(), 7U);
    EXPECT_EQ(rows("PRAGMA user_version").at(0), (SqlRow{schema_version()}));
    EXPECT_FALSE(rows("SELECT sql FROM sqlite_schema").empty());
    EXPECT_FALSE(rows("EXPLAIN QUERY PLAN SELECT * FROM run").empty());
    EXPECT_EQ(rows("SELECT value FROM json_each('[1,2,3]')").size(), 3U);
    EXPECT_EQ(
        rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
             "SELECT i FROM n")
            .size(),
        9U
    );
}

TEST_F(StoreSql, TakesSemicolonsAndCommentsAroundTheStatement) {
    EXPECT_THAT(
        rows("-- first\n;; SELECT 1 ; /* last */ ; -- end"), ElementsAre(SqlRow{std::int64_t{1}})
    );
}

TEST_F(StoreSql, SaysWhereAStatementIsWrong) {
    EXPECT_THAT(
        error("SELECT uuid,\n  'ä', stat\nFROM run"),
        HasSubstr("could not run the SQL: no such column: stat (line 2, column 8) | kvprof schema")
    );
    EXPECT_THAT(error("; SELEC 1"), HasSubstr("near \"SELEC\": syntax error (line 1, column 3)"));
    EXPECT_THAT(error("SELECT * FROM runs"), HasSubstr("no such table: runs"));
    EXPECT_THAT(error("SELECT 'a"), HasSubstr("unrecognized token"));
    EXPECT_THAT(error("SELECT abs(-9223372036854775807 - 1)"), HasSubstr("integer overflow"));
    EXPECT_THAT(error(std::string("SELECT 1\0", 9)), HasSubstr("a zero byte"));
    for (const char* nothing : {"", "  \n", "-- nothing", ";;"}) {
        EXPECT_THAT(error(nothing), HasSubstr("it holds no statement"));
    }
}

TEST_F(StoreSql, RefusesASecondStatement) {
    EXPECT_THAT(
        error("SELECT 1;\n SELECT 2"),
        HasSubstr("a second statement begins after the first one (line 1, column 10)")
    );
    EXPECT_THAT(error("SELECT 1; DELETE FROM run"), HasSubstr("a second statement"));
    EXPECT_THAT(error("SELECT 1; nonsense"), HasSubstr("a second statement"));
}

class HostileSql : public StoreSql, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Statement,
    HostileSql,
    testing::Values(
        "DELETE FROM run",
        "UPDATE run SET state = 'complete'",
        "UPDATE sqlite_master SET sql = ''",
        "INSERT INTO run_note VALUES(1, 99, 'x')",
        "WITH x AS (SELECT 1) DELETE FROM sample",
        "DELETE FROM run RETURNING uuid",
        "REPLACE INTO tag VALUES('x', 1, NULL)",
        "DROP TABLE run",
        "CREATE TABLE t(x)",
        "CREATE TEMP TABLE t(x)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE t USING fts5(x)",
        "ALTER TABLE run ADD COLUMN x",
        "CREATE INDEX i ON run(state)",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "VACUUM INTO '/tmp/kvprof-sql-test-copy.db'",
        "ATTACH '/tmp/kvprof-sql-test-other.db' AS other",
        "DETACH main",
        "BEGIN IMMEDIATE",
        "COMMIT",
        "SAVEPOINT s",
        "PRAGMA user_version = 7",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA optimize",
        "PRAGMA incremental_vacuum(5)",
        "SELECT load_extension('/tmp/x.so')",
        "EXPLAIN DELETE FROM run"
    )
);

TEST_P(HostileSql, IsRefusedAndChangesNothing) {
    const std::string before = bytes();
    EXPECT_THAT(
        error(GetParam()),
        testing::AnyOf(
            HasSubstr("only reading is allowed"),
            HasSubstr("no such function"),
            HasSubstr("may not be modified")
        )
    );
    EXPECT_EQ(bytes(), before);
    EXPECT_FALSE(std::filesystem::exists("/tmp/kvprof-sql-test-copy.db"));
    EXPECT_FALSE(std::filesystem::exists("/tmp/kvprof-sql-test-other.db"));
    EXPECT_EQ(rows("SELECT count(*) FROM run").at(0), (SqlRow{std::int64_t{2}}));
}

TEST_F(StoreSql, LeavesNothingBesideTheStore) {
    std::ignore = rows("SELECT * FROM run");
    std::ignore = error("SELECT nothing");
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        EXPECT_EQ(entry.path(), store_);
    }
}

TEST_F(StoreSql, StopsBetweenRows) {
    SqlQuery query(
        store_, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    );
    SqlRow row;
    ASSERT_TRUE(query.next(row));
    EXPECT_EQ(row, SqlRow{std::int64_t{1}});
}

TEST_F(StoreSql, SeesAnOlderStoreInTodaysTables) {
    std::filesystem::copy_file(
        std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "store" / "version_1.db",
        store_,
        std::filesystem::copy_options::overwrite_existing
    );
    EXPECT_EQ(rows("SELECT kind FROM experiment").at(0), (SqlRow{std::string("matrix")}));
    EXPECT_THAT(error("DELETE FROM run"), HasSubstr("only reading is allowed"));
}

TEST_F(StoreSql, ReportsAStoreThatCanNotBeUsedAsOne) {
    const auto store_error = [&] {
        return error_of<StoreError>([&] { std::ignore = rows("SELECT count(*) FROM sample"); });
    };
    SQLite::Database(store_.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    EXPECT_THAT(store_error(), HasSubstr("it has schema 99"));
    test::write_file(store_, std::string(5000, 'x'));
    EXPECT_THAT(store_error(), HasSubstr("not a kvprof store"));
    std::filesystem::remove(store_);
    EXPECT_THAT(store_error(), HasSubstr("there is no such file"));
}

TEST_F(StoreSql, ReportsDamageAsDamage) {
    {
        SQLite::Database raw(store_.string(), SQLite::OPEN_READWRITE);
        const auto page =
            raw.execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = 'sample'").getInt64();
        std::fstream file(store_, std::ios::in | std::ios::out | std::ios::binary);
        constexpr std::int64_t kPageBytes = 4096;
        file.seekp((page - 1) * kPageBytes);
        file << std::string(kPageBytes, '\x5a');
    }
    EXPECT_THAT(
        error_of<StoreError>([&] { std::ignore = rows("SELECT * FROM sample"); }),
        HasSubstr("the file is damaged")
    );
}

TEST(TableDefinitions, MakeAnEmptyStore) {
    const test::StoreFolder folder;
    {
        SQLite::Database raw(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        raw.exec(table_definitions());
    }
    { Store(folder.file(), OpenMode::write).add_experiment(experiment_of('e', "ab")); }
    EXPECT_THAT(test::content_of(folder.file()).experiments, ElementsAre(experiment_of('e', "ab")));
}

} // namespace
} // namespace kvprof::db
