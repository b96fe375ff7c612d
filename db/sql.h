#pragma once

#include "db/raw_statement.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kvprof::db {

class Connection;
class ReadAccess;

/// Bytes that are no text.
struct SqlBlob {
    std::string bytes;

    friend bool operator==(const SqlBlob&, const SqlBlob&) = default;
};

/// monostate: NULL. Text as it is stored: usually UTF-8, and nothing promises it.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, SqlBlob>;
using SqlRow = std::vector<SqlValue>;

/// One SQL statement that reads a store, row by row: a result of any length needs the memory of a
/// row. It sees the tables of the current schema, of an older store too. Nothing can be written,
/// attached or loaded, whatever the statement says.
class SqlQuery {
  public:
    /// `parameters` are the texts of the statement's `?`, in order.
    /// @throws UsageError when the text is not one statement that reads, with SQLite's message and
    /// the place in the text. @throws StoreError when the store can not be used.
    SqlQuery(
        const std::filesystem::path& path,
        std::string_view sql,
        const std::vector<std::string>& parameters = {}
    );
    SqlQuery(const SqlQuery&) = delete;
    SqlQuery& operator=(const SqlQuery&) = delete;
    ~SqlQuery();

    /// Names as SQLite gives them; two may be the same.
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }

    /// Reads the next row into `row`; false when there is none. Throws as the constructor does.
    [[nodiscard]] bool next(SqlRow& row);

  private:
    void prepare();
    void refuse_a_second(const char* rest);
    void bind(const std::vector<std::string>& parameters);
    /// `at` is where SQLite's message points to, in bytes; negative: nowhere.
    [[noreturn]] void fail(int result, std::ptrdiff_t at);

    std::string sql_;
    // In the order in which they are needed: the last is let go first.
    std::unique_ptr<ReadAccess> access_;
    std::unique_ptr<Connection> connection_;
    StatementHandle statement_;
    std::vector<std::string> columns_;
};

/// The definitions of the current schema's tables and indexes, as SQL that makes an empty store.
[[nodiscard]] std::string table_definitions();

} // namespace kvprof::db
