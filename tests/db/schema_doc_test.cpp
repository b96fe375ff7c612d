#include "db/store.h"
#include "tests/db/store_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kvprof::db {
namespace {

TEST(SchemaDoc, NamesEveryTableAndColumn) {
    std::ifstream file(std::filesystem::path(KVPROF_TESTS_DIR) / ".." / "docs" / "schema.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const test::StoreFolder folder;
    const Store store(folder.file(), OpenMode::create);
    SQLite::Database raw(folder.file().string(), SQLite::OPEN_READONLY);
    SQLite::Statement rows(
        raw,
        "SELECT t.name, c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
    );
    int columns = 0;
    while (rows.executeStep()) {
        ++columns;
        const std::string table = rows.getColumn(0).getString();
        const std::string column = rows.getColumn(1).getString();
        EXPECT_THAT(page, testing::HasSubstr("## " + table + "\n"));
        const std::size_t start = page.find("## " + table + "\n");
        const std::string section = page.substr(start, page.find("\n## ", start + 1) - start);
        EXPECT_THAT(section, testing::HasSubstr("`" + column + "`")) << table;
    }
    EXPECT_GT(columns, 50);
}

TEST(SchemaDoc, TablesAreStrict) {
    const test::StoreFolder folder;
    const Store store(folder.file(), OpenMode::create);
    SQLite::Database raw(folder.file().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(
        raw.execAndGet("SELECT count(*) FROM pragma_table_list "
                       "WHERE schema = 'main' AND name NOT LIKE 'sqlite%' AND NOT strict")
            .getInt(),
        0
    );
}

} // namespace
} // namespace kvprof::db
