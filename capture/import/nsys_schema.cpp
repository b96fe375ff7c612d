#include "capture/import/nsys_schema.h"

#include "capture/import/refused.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace kvprof::import {

namespace {

constexpr std::pair kOldest{2, 9};
constexpr std::pair kNewest{3, 25};

/// "_V3" is 3, no suffix is 1, anything else is no version of the table.
int version_of(std::string_view suffix) {
    if (suffix.empty()) {
        return 1;
    }
    int version = 0;
    const char* end = suffix.data() + suffix.size();
    const bool has_mark = suffix.starts_with("_V") && suffix.size() > 2;
    const auto read = std::from_chars(suffix.data() + (has_mark ? 2 : 0), end, version);
    return has_mark && read.ec == std::errc{} && read.ptr == end ? version : 0;
}

/// A version is shown and stored; whatever else stands in its place is not.
std::string digits_and_dots(std::string_view text) {
    constexpr std::size_t kLongest = 32;
    const bool is_version =
        text.size() <= kLongest && text.find_first_not_of("0123456789.") == std::string_view::npos;
    return is_version ? std::string(text) : std::string();
}

std::vector<std::string> columns_of(NsysDatabase& database, const std::string& table) {
    // Neither hidden nor generated columns: the latter would run expressions of the file.
    constexpr int kName = 1;
    NsysRows rows(database, fmt::format("PRAGMA main.table_info({})", sql_name(table)));
    std::vector<std::string> columns;
    while (rows.next()) {
        columns.emplace_back(rows.text(kName));
    }
    return columns;
}

bool is_empty(NsysDatabase& database, const std::string& table) {
    return !NsysRows(database, fmt::format("SELECT 1 FROM main.{} LIMIT 1", sql_name(table)))
                .next();
}

} // namespace

bool NsysTable::has(std::string_view column) const {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

NsysSchema::NsysSchema(NsysDatabase& database)
    : database_(database) {
    about_ = find("META_DATA_EXPORT");
    if (!about_) {
        about_ = find("EXPORT_META_DATA");
    }
    product_ = exported("EXPORT_PRODUCT_VERSION");
    version_ = exported("EXPORT_SCHEMA_VERSION");
    const bool has_events = find("CUPTI_ACTIVITY_KIND_RUNTIME") || find("NVTX_EVENTS")
                            || find("CUPTI_ACTIVITY_KIND_KERNEL");
    if (version_.empty() && !(has_events && find("StringIds"))) {
        throw RefusedError(
            "not-nsys",
            fmt::format(
                "could not read {}: it is an SQLite database, but no export of Nsight Systems: it "
                "has neither its version (META_DATA_EXPORT) nor its events",
                database.file().string()
            ),
            "export a report with: nsys export --type sqlite"
        );
    }
}

std::optional<NsysTable> NsysSchema::find(std::string_view name) const {
    // A root page: a virtual table, whose code would run, has none.
    NsysRows rows(
        database_,
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 "
        "AND substr(name, 1, length(?1)) = ?1"
    );
    rows.bind(1, name);
    std::vector<std::pair<int, std::string>> found;
    while (rows.next()) {
        const std::string_view full = rows.text(0);
        if (const int version = version_of(full.substr(name.size())); version > 0) {
            found.emplace_back(version, full);
        }
    }
    if (found.empty()) {
        return std::nullopt;
    }
    std::sort(found.rbegin(), found.rend());
    const auto filled = std::find_if(found.begin(), found.end(), [this](const auto& table) {
        return !is_empty(database_, table.second);
    });
    std::string& chosen = (filled == found.end() ? found.front() : *filled).second;
    std::vector<std::string> columns = columns_of(database_, chosen);
    return NsysTable{std::move(chosen), std::move(columns)};
}

bool NsysSchema::has_rows(std::string_view name) const {
    const auto table = find(name);
    return table && !is_empty(database_, table->name);
}

std::string
NsysSchema::select(const NsysTable& table, std::initializer_list<NsysColumn> columns) const {
    std::string list;
    for (const auto& [name, is_required] : columns) {
        const bool has_column = table.has(name);
        if (is_required && !has_column) {
            throw RefusedError(
                "missing-column",
                fmt::format(
                    "could not read {}: its table {} has no column {} (schema version {})",
                    database_.file().string(),
                    table.name,
                    name,
                    version_.empty() ? "unknown" : version_
                ),
                "export the report again with: nsys export --type sqlite"
            );
        }
        list += (list.empty() ? "" : ", ") + (has_column ? sql_name(name) : std::string("NULL"));
    }
    return fmt::format("SELECT {} FROM main.{}", list, sql_name(table.name));
}

bool NsysSchema::is_known() const {
    std::pair version{0, 0};
    const char* end = version_.data() + version_.size();
    const auto major = std::from_chars(version_.data(), end, version.first);
    if (major.ec == std::errc{} && major.ptr != end) {
        std::from_chars(major.ptr + 1, end, version.second);
    }
    return version >= kOldest && version <= kNewest;
}

std::string NsysSchema::exported(std::string_view key) const {
    if (!about_) {
        return {};
    }
    NsysRows rows(
        database_, select(*about_, {{"value", true}, {"name", true}}) + " WHERE name = ?1"
    );
    rows.bind(1, key);
    return rows.next() && rows.is_text(0) ? digits_and_dots(rows.text(0)) : std::string();
}

} // namespace kvprof::import
