#pragma once

#include <filesystem>

namespace kvprof::db {

/// Whether a file's header says that it is a store of this program. False for one that can not be
/// read.
[[nodiscard]] bool is_store_file(const std::filesystem::path& file);

} // namespace kvprof::db
