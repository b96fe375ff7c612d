#pragma once

#include <filesystem>
#include <optional>

namespace kvprof {

// A file is replaced as a whole: written beside its place, then renamed.

/// Where a chain of links ends, also when nothing is there yet; nothing for links that lead in a
/// circle, with errno.
[[nodiscard]] std::optional<std::filesystem::path> end_of_links(std::filesystem::path path);

/// A new empty file in the target's folder, with the rights of the target or of any new file;
/// nothing when the folder takes none, with errno.
[[nodiscard]] std::optional<std::filesystem::path> make_beside(const std::filesystem::path& target);

} // namespace kvprof
