#include "capture/import/nsys_strings.h"

#include "capture/import/json_text.h"
#include "capture/model/api_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::import {

namespace {

/// Whether the table is ordered by its ids, so that one row is found without reading all.
bool is_ordered_by_id(NsysDatabase& database, const NsysTable& table) {
    constexpr int kName = 1;
    constexpr int kPlaceInKey = 5;
    NsysRows rows(database, fmt::format("PRAGMA main.table_info({})", sql_name(table.name)));
    while (rows.next()) {
        if (rows.text(kName) == "id") {
            return rows.integer(kPlaceInKey) == 1;
        }
    }
    return false;
}

} // namespace

std::string repaired(std::string_view text, std::int64_t& repairs) {
    std::string escaped; // a backslash is one here
    for (const char letter : text) {
        escaped.append(letter == '\\' ? 2 : 1, letter);
    }
    TextDefects defects;
    std::string valid = decode_json_string(escaped, defects);
    repairs += defects.invalid_utf8;
    return valid;
}

NsysStrings::NsysStrings(NsysDatabase& database, const NsysSchema& schema, Names& names)
    : names_(names),
      unknown_(names.id_of("?")) {
    if (const auto table = schema.find("StringIds")) {
        open(database, schema, *table);
    }
}

void NsysStrings::open(NsysDatabase& database, const NsysSchema& schema, const NsysTable& table) {
    const std::string select = schema.select(table, {{"value", true}, {"id", true}});
    if (is_ordered_by_id(database, table)) {
        rows_.emplace(database, select + " WHERE id = ?1");
        return;
    }
    rows_.emplace(database, select + " WHERE rowid = ?1");
    NsysRows ids(
        database, fmt::format("SELECT id, rowid FROM main.{} ORDER BY rowid", sql_name(table.name))
    );
    places_.emplace();
    while (ids.next()) {
        if (ids.is_integer(0)) {
            places_->emplace(ids.integer(0), ids.integer(1));
        }
    }
}

std::uint32_t NsysStrings::name_of(std::int64_t id) {
    return look_up(known_names_, id, false);
}

std::uint32_t NsysStrings::call_of(std::int64_t id) {
    return look_up(known_calls_, id, true);
}

std::optional<std::string_view> NsysStrings::text_of(std::int64_t id) {
    if (!rows_) {
        return std::nullopt;
    }
    if (places_) {
        const auto place = places_->find(id);
        if (place == places_->end()) {
            return std::nullopt;
        }
        id = place->second;
    }
    rows_->reset();
    rows_->bind(1, id);
    return rows_->next() && rows_->is_text(0) ? std::optional(rows_->text(0)) : std::nullopt;
}

std::uint32_t NsysStrings::intern(std::string_view text) {
    return names_.id_of(repaired(text, repairs_));
}

std::uint32_t NsysStrings::unknown() {
    ++dangling_;
    return unknown_;
}

std::uint32_t NsysStrings::look_up(Known& known, std::int64_t id, bool is_call) {
    const auto [place, is_new] = known.try_emplace(id, unknown_);
    if (is_new) {
        if (const auto text = text_of(id)) {
            place->second = intern(is_call ? canonical_call(*text) : *text);
        }
    }
    return place->second == unknown_ ? unknown() : place->second;
}

} // namespace kvprof::import
