#pragma once

#include "db/selector.h"
#include "db/store.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace kvprof::db {

/// What a bundle holds beside the chosen runs.
struct BundleOptions {
    bool has_events = true;       ///< the records that a timeline needs, perhaps millions
    bool has_calibrations = true; ///< verdicts of the chosen runs depend on them
};

/// What a written bundle holds.
struct BundleContent {
    std::int64_t experiments = 0;
    std::int64_t runs = 0;
    std::int64_t calibrations = 0; ///< of `experiments`: they came without being chosen
    std::int64_t tags = 0;
    std::int64_t baselines = 0;
    std::uintmax_t bytes = 0; ///< of the file

    friend bool operator==(const BundleContent&, const BundleContent&) = default;
};

/// Writes a store of its own that holds the selected runs of `from` with the heads of their
/// experiments, the tags of what is selected, the current revision of each baseline that is
/// selected as `baseline/NAME`, and all calibrations. It is one file, without a log beside it; the
/// same content gives the same bytes. The target is replaced when the file is complete: until then,
/// and when it fails, what was there stays.
/// @throws UsageError when the target is the store itself, no file, in no folder, or a store that
/// is in use. @throws StoreError when a file can not be read or written.
BundleContent export_bundle(
    const Store& from,
    const std::vector<Selection>& selections,
    const std::filesystem::path& target,
    const BundleOptions& options = {}
);

} // namespace kvprof::db
