#include "cli/stores.h"

#include "cli/version.h"
#include "db/path.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <system_error>

namespace kvprof::cli {

std::filesystem::path store_path_of(const CommonOptions& options) {
    std::error_code ignored; // a folder that was removed has no kvprof.toml above it either
    const std::filesystem::path here = std::filesystem::current_path(ignored);
    return db::store_path(options.db, db::path_environment(), here);
}

std::string utc_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string build_text() {
#ifdef NDEBUG
    constexpr const char* kKind = "release";
#else
    constexpr const char* kKind = "debug";
#endif
    return fmt::format("{} ({}, {})", version(), build_id(), kKind);
}

} // namespace kvprof::cli
