#pragma once

#include "capture/model/error.h"

#include <filesystem>
#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace SQLite {
class Exception;
} // namespace SQLite

namespace kvprof::db {

/// What SQLite reported, in the words of this program: cause with the path and the SQL text, and a
/// hint. `damage` is what a check of the file found, if one was made.
[[nodiscard]] StoreError store_error(
    const SQLite::Exception& failure,
    const std::filesystem::path& path,
    std::string_view sql,
    const std::string& damage = {}
);

/// Whether SQLite found that the file's content can not be right.
[[nodiscard]] bool is_damage(const SQLite::Exception& failure);

} // namespace kvprof::db
