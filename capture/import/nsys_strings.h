#pragma once

#include "capture/import/names.h"
#include "capture/import/nsys_schema.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kvprof::import {

/// Valid UTF-8: what is none becomes U+FFFD.
[[nodiscard]] std::string repaired(std::string_view text, std::int64_t& repairs);

/// Texts of StringIds, which holds process environments as well: a text is read when an event
/// names it, and no other is.
class NsysStrings {
  public:
    NsysStrings(NsysDatabase& database, const NsysSchema& schema, Names& names);

    /// The name of a kernel or range; "?" where there is no such text.
    [[nodiscard]] std::uint32_t name_of(std::int64_t id);
    /// The name of an API call, canonical.
    [[nodiscard]] std::uint32_t call_of(std::int64_t id);
    /// The text, until the next call; absent where there is none.
    [[nodiscard]] std::optional<std::string_view> text_of(std::int64_t id);
    /// A text that was read, as a name.
    [[nodiscard]] std::uint32_t intern(std::string_view text);
    /// "?", counted as a name that dangles.
    [[nodiscard]] std::uint32_t unknown();

    [[nodiscard]] std::int64_t dangling() const noexcept { return dangling_; }

    /// Texts that were no UTF-8.
    [[nodiscard]] std::int64_t repairs() const noexcept { return repairs_; }

  private:
    using Known = std::unordered_map<std::int64_t, std::uint32_t>;

    [[nodiscard]] std::uint32_t look_up(Known& known, std::int64_t id, bool is_call);
    void open(NsysDatabase& database, const NsysSchema& schema, const NsysTable& table);

    Names& names_;
    std::optional<NsysRows> rows_;
    std::optional<std::unordered_map<std::int64_t, std::int64_t>> places_; ///< id -> rowid
    Known known_names_;
    Known known_calls_;
    std::uint32_t unknown_;
    std::int64_t dangling_ = 0;
    std::int64_t repairs_ = 0;
};

} // namespace kvprof::import
