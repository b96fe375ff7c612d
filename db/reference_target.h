#pragma once

#include "db/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::db {

inline constexpr std::string_view kLatest = "@latest";

/// What a reference names before any field chooses among its runs: an experiment, one run, or the
/// runs that a baseline holds.
struct ReferenceTarget {
    std::string experiment;         ///< uuid; empty for a baseline
    std::optional<std::string> run; ///< uuid, when one run is named
    std::vector<std::string> held;  ///< uuids, of a baseline's current revision
};

/// Looks up `@latest~N`, `baseline/NAME`, a tag, a label or the start of a uuid.
/// @throws UsageError when the word names nothing, or several things.
[[nodiscard]] ReferenceTarget find_target(const Store& store, std::string_view word);

} // namespace kvprof::db
