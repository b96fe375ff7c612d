#pragma once

#include "db/store.h"

#include <filesystem>
#include <vector>

namespace kvprof::cli {

/// Opens every source before the store is made or changed, adds their runs to it and says what came
/// of each. Whether all of them fit: what contradicts the store is left out and named.
/// @throws StoreError for a source that is no store
[[nodiscard]] bool merge_into(
    const std::filesystem::path& store,
    const std::vector<std::filesystem::path>& sources,
    bool is_quiet
);

} // namespace kvprof::cli
