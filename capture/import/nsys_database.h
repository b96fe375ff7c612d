#pragma once

#include "capture/import/input_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3_stmt; // NOLINT(readability-identifier-naming): the library's own name

namespace SQLite {
class Database;
} // namespace SQLite

namespace kvprof::import {

/// An SQLite file of somebody else. Nothing of it is run (no view, no trigger, no function of its
/// schema), and nothing is written into it or beside it.
class NsysDatabase {
  public:
    /// @throws RefusedError (sqlite-malformed, sqlite-in-use), or as InputFile
    /// Errors name `shown_as`.
    NsysDatabase(const std::filesystem::path& file, std::filesystem::path shown_as);
    ~NsysDatabase();
    NsysDatabase(NsysDatabase&&) = delete;
    NsysDatabase& operator=(NsysDatabase&&) = delete;

    /// As errors name it.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return shown_as_; }

    [[nodiscard]] SQLite::Database& sqlite() noexcept { return *database_; }

    /// @throws RefusedError (changed-while-read)
    void check_unchanged() const;

  private:
    std::filesystem::path shown_as_;
    InputFile input_;           ///< before the database: closing it would drop SQLite's lock
    bool is_immutable_ = false; ///< SQLite takes no lock: nobody else may write
    std::unique_ptr<SQLite::Database> database_;
};

struct FinalizeRows {
    void operator()(sqlite3_stmt* statement) const noexcept;
};

/// The rows of a SELECT, whose columns may hold values of any type. Columns count from 0.
class NsysRows {
  public:
    /// @throws RefusedError (sqlite-malformed, too-long), as next() does
    NsysRows(NsysDatabase& database, const std::string& sql);

    void bind(int index, std::int64_t value); ///< `index` counts from 1
    void bind(int index, std::string_view value);
    [[nodiscard]] bool next();
    void reset() noexcept;

    [[nodiscard]] bool is_null(int column) const noexcept;
    [[nodiscard]] bool is_integer(int column) const noexcept;
    [[nodiscard]] bool is_text(int column) const noexcept;
    [[nodiscard]] std::int64_t integer(int column) const noexcept;
    /// Until the next step.
    [[nodiscard]] std::string_view text(int column) const noexcept;

  private:
    void check(int result);

    NsysDatabase& database_;
    std::unique_ptr<sqlite3_stmt, FinalizeRows> statement_;
};

/// A name as SQL takes it: "a""b" of a"b.
[[nodiscard]] std::string sql_name(std::string_view name);

} // namespace kvprof::import
