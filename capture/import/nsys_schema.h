#pragma once

#include "capture/import/nsys_database.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// A table as the file has it.
struct NsysTable {
    std::string name; ///< with the suffix of its version: "NVTX_EVENTS_V2"
    std::vector<std::string> columns;

    [[nodiscard]] bool has(std::string_view column) const;
};

/// A column that a reader asks for. Without a required one the rows say nothing.
struct NsysColumn {
    std::string_view name;
    bool is_required = false;
};

/// What an export holds: tables and columns come and go with versions, and empty tables are left
/// out, so both are looked up by name.
class NsysSchema {
  public:
    /// @throws RefusedError (not-nsys, sqlite-malformed)
    explicit NsysSchema(NsysDatabase& database);

    /// The table of that name, or its newest version ("_V3"); one with rows before an empty one.
    [[nodiscard]] std::optional<NsysTable> find(std::string_view name) const;
    [[nodiscard]] bool has_rows(std::string_view name) const;
    /// A SELECT of these columns in this order; NULL stands for one that the table does not have.
    /// @throws RefusedError (missing-column)
    [[nodiscard]] std::string
    select(const NsysTable& table, std::initializer_list<NsysColumn> columns) const;

    /// Of the program and of the schema, digits and dots alone; empty where the file does not say.
    [[nodiscard]] const std::string& product() const noexcept { return product_; }

    [[nodiscard]] const std::string& version() const noexcept { return version_; }

    /// Whether the schema is one that this reader was tried with: 2.9 to 3.25.
    [[nodiscard]] bool is_known() const;

  private:
    [[nodiscard]] std::string exported(std::string_view key) const;

    NsysDatabase& database_;
    std::optional<NsysTable> about_; ///< META_DATA_EXPORT, before 3.0 EXPORT_META_DATA
    std::string product_;
    std::string version_;
};

} // namespace kvprof::import
