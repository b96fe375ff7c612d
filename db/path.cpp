#include "db/path.h"

#include "capture/model/error.h"

#include <cstdlib>
#include <system_error>

namespace kvprof::db {

namespace {

constexpr const char* kFileName = "kvprof.db";
constexpr const char* kConfigName = "kvprof.toml";

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): read before any thread
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_set(const std::optional<std::string>& value) {
    return value && !value->empty();
}

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// The folder of the nearest kvprof.toml, from `directory` upwards.
std::optional<std::filesystem::path> project_folder(const std::filesystem::path& directory) {
    for (std::filesystem::path folder = directory;; folder = folder.parent_path()) {
        if (is_there(folder / kConfigName)) {
            return folder;
        }
        if (is_there(folder / ".git") || folder == folder.parent_path()) {
            return std::nullopt;
        }
    }
}

} // namespace

PathEnvironment path_environment() {
    return {
        .kvprof_db = variable("KVPROF_DB"),
        .xdg_data_home = variable("XDG_DATA_HOME"),
        .home = variable("HOME"),
        .xdg_config_home = variable("XDG_CONFIG_HOME")};
}

std::filesystem::path store_path(
    const std::optional<std::filesystem::path>& flag,
    const PathEnvironment& environment,
    const std::filesystem::path& directory
) {
    if (flag && !flag->empty()) {
        return *flag;
    }
    if (is_set(environment.kvprof_db)) {
        return *environment.kvprof_db;
    }
    if (const auto folder = project_folder(directory)) {
        return *folder / ".kvprof" / kFileName;
    }
    // The XDG base directory specification has programs ignore a relative path.
    if (is_set(environment.xdg_data_home)
        && std::filesystem::path(*environment.xdg_data_home).is_absolute()) {
        return std::filesystem::path(*environment.xdg_data_home) / "kvprof" / kFileName;
    }
    if (!is_set(environment.home)) {
        throw UsageError(
            "could not place the store: neither KVPROF_DB, XDG_DATA_HOME nor HOME is set",
            "name the file with --db"
        );
    }
    return std::filesystem::path(*environment.home) / ".local" / "share" / "kvprof" / kFileName;
}

std::optional<std::filesystem::path>
config_path(const PathEnvironment& environment, const std::filesystem::path& directory) {
    if (const auto folder = project_folder(directory)) {
        return *folder / kConfigName;
    }
    std::filesystem::path home;
    if (is_set(environment.xdg_config_home)
        && std::filesystem::path(*environment.xdg_config_home).is_absolute()) {
        home = *environment.xdg_config_home;
    } else if (is_set(environment.home)) {
        home = std::filesystem::path(*environment.home) / ".config";
    }
    const std::filesystem::path file = home / "kvprof" / "config.toml";
    return !home.empty() && is_there(file) ? std::optional(file) : std::nullopt;
}

} // namespace kvprof::db
