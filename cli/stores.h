#pragma once

#include "cli/commands.h"

#include <filesystem>
#include <string>

namespace kvprof::cli {

/// The store that the flags, the environment and the working folder name.
[[nodiscard]] std::filesystem::path store_path_of(const CommonOptions& options);

/// Now, in UTC: "2025-06-01T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// Version, git description and kind of build: a stored run's Environment::build.
[[nodiscard]] std::string build_text();

} // namespace kvprof::cli
