#pragma once

#include "report/recipe.h"

#include <filesystem>
#include <optional>

namespace kvprof::cli {

/// The file with the name that reports print: from the root of its repository on, or without its
/// folder. `what` and `page` are for the message: "policy", "docs/gating.md".
/// @throws UsageError when it can not be read.
[[nodiscard]] report::EmbeddedFile
read_embedded(const std::filesystem::path& path, const char* what, const char* page);

/// A policy that was read once, so that its errors name the path.
[[nodiscard]] report::EmbeddedFile policy_file(const std::filesystem::path& path);
/// A claims file, likewise.
[[nodiscard]] report::EmbeddedFile claims_file(const std::filesystem::path& path);

} // namespace kvprof::cli
