#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3_stmt; // NOLINT(readability-identifier-naming): the library's own name

namespace kvprof::db {

class Connection;

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const noexcept;
};

using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// A prepared statement whose values are taken over as they are, whatever their kinds. Internal to
/// db/; Query reads values whose kinds are known.
class RawStatement {
  public:
    /// @throws StoreError when the store does not take the statement.
    RawStatement(Connection& connection, std::string sql);

    /// Makes the statement ready for the next values.
    void reset() noexcept;
    /// `index` counts from 1.
    void bind(int index, std::int64_t value);
    void bind(int index, std::string_view value);
    /// Binds all columns of the row that `row` stands on, the first to `index`.
    void bind_row(int index, const RawStatement& row);

    /// Steps to the next row; false when there is none.
    [[nodiscard]] bool next();
    /// Runs to the end and resets.
    void run();

    [[nodiscard]] int columns() const noexcept;
    /// Whether a column of the rows that both stand on has the same kind and content.
    [[nodiscard]] bool has_same(int column, const RawStatement& other) const noexcept;

  private:
    void check(int result);

    Connection& connection_;
    std::string sql_;
    StatementHandle statement_;
};

} // namespace kvprof::db
