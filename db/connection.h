#pragma once

#include "db/store.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace SQLite {
class Database;
class Exception;
class Statement;
} // namespace SQLite

namespace kvprof::db {

/// An open store file with its schema checked (and made, with OpenMode::create). Internal to db/.
class Connection {
  public:
    /// `shown_as` is what messages call the file, when that is not its path.
    Connection(
        std::filesystem::path path,
        OpenMode mode,
        std::chrono::milliseconds lock_wait,
        const std::filesystem::path& shown_as = {}
    );
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// As messages name it.
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    [[nodiscard]] SQLite::Database& database() noexcept { return *database_; }

    /// Runs statements that return no rows.
    void execute(const std::string& sql);
    /// Works from here on with a copy of the database in memory; the file is let go.
    void continue_in_memory();
    /// Rolls back what is not committed; for destructors.
    void rollback() noexcept;
    /// @throws StoreError, always: names path and SQL, and looks into a file reported as damaged.
    [[noreturn]] void fail(const SQLite::Exception& failure, std::string_view sql);

  private:
    void
    open(const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds lock_wait);
    void open_read_only(const std::filesystem::path& file, int lock_wait_ms);
    void use_wal(std::chrono::milliseconds lock_wait);

    std::filesystem::path path_;
    std::unique_ptr<SQLite::Database> database_;
};

/// One prepared statement; turns SQLite's exceptions into StoreError with the SQL text.
class Query {
  public:
    Query(Connection& connection, const std::string& sql);
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query();

    /// Binds the values to the statement's `?` in order.
    template<typename... Values>
    Query& with(const Values&... values) {
        int index = 0;
        (bind(++index, values), ...);
        return *this;
    }

    /// Steps to the next row; false when there is none.
    [[nodiscard]] bool next();
    /// Runs to the end and makes the statement ready for the next values.
    void run();
    /// Makes the statement ready for the next values; what it has not read is let go.
    void reset() noexcept;

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::optional<std::string> optional_text(int column) const;
    [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const;
    [[nodiscard]] std::optional<double> optional_real(int column) const;
    [[nodiscard]] std::chrono::nanoseconds duration(int column) const;
    [[nodiscard]] std::optional<std::chrono::nanoseconds> optional_duration(int column) const;

  private:
    void bind(int index, std::int64_t value);
    void bind(int index, std::string_view value);
    void bind(int index, const std::optional<std::string>& value);
    void bind(int index, const std::optional<double>& value);
    void bind(int index, const std::optional<std::int64_t>& value);
    void bind(int index, const std::optional<std::chrono::nanoseconds>& value);

    void bind(int index, int value) { bind(index, std::int64_t{value}); }

    void bind(int index, std::chrono::nanoseconds value) {
        bind(index, std::int64_t{value.count()});
    }

    void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }

    Connection& connection_;
    std::string sql_;
    std::unique_ptr<SQLite::Statement> statement_;
};

/// BEGIN in the constructor, ROLLBACK in the destructor unless committed.
class Transaction {
  public:
    enum class Kind : std::uint8_t { read, write };

    /// A write transaction waits for another writer as long as the store's `lock_wait`. A read
    /// transaction within another one is part of it.
    Transaction(Connection& connection, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    void commit();

  private:
    Connection& connection_;
    bool is_open_ = true;
};

} // namespace kvprof::db
