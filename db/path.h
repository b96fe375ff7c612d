#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace kvprof::db {

/// The environment variables that place the store and the settings; an empty value counts as unset.
struct PathEnvironment {
    std::optional<std::string> kvprof_db;
    std::optional<std::string> xdg_data_home;
    std::optional<std::string> home;
    std::optional<std::string> xdg_config_home = {};
};

/// Reads KVPROF_DB, XDG_DATA_HOME, HOME and XDG_CONFIG_HOME of this process.
[[nodiscard]] PathEnvironment path_environment();

/// Where the store is. The first that holds: `flag` (--db); KVPROF_DB; .kvprof/kvprof.db beside
/// the nearest kvprof.toml from `directory` upwards, no further than the root of a git checkout;
/// kvprof/kvprof.db in XDG_DATA_HOME (an absolute path), or in ~/.local/share.
/// @throws UsageError when HOME would be needed and is not set.
[[nodiscard]] std::filesystem::path store_path(
    const std::optional<std::filesystem::path>& flag,
    const PathEnvironment& environment,
    const std::filesystem::path& directory
);

/// The settings in force in a folder: the nearest kvprof.toml from it upwards to the root of its
/// repository, else $XDG_CONFIG_HOME/kvprof/config.toml (or ~/.config/kvprof/config.toml). Nothing
/// when neither is there.
[[nodiscard]] std::optional<std::filesystem::path>
config_path(const PathEnvironment& environment, const std::filesystem::path& directory);

} // namespace kvprof::db
