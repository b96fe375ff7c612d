#include "cli/embedded_files.h"

#include "analyzers/policy.h"
#include "capture/model/error.h"
#include "report/claims.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace kvprof::cli {

namespace {

/// "ci/kvprof.toml" of a file in a git checkout, else "kvprof.toml": two machines print the same.
std::string shown_name(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path, failed);
    for (std::filesystem::path folder = whole.parent_path(); !failed && folder.has_relative_path();
         folder = folder.parent_path()) {
        if (std::filesystem::exists(folder / ".git", failed) && !failed) {
            return whole.lexically_relative(folder).generic_string();
        }
    }
    return path.filename().string();
}

} // namespace

report::EmbeddedFile
read_embedded(const std::filesystem::path& path, const char* what, const char* page) {
    std::string why;
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        why = "it is a directory";
    } else if (std::ifstream file(path); file) {
        return {shown_name(path), {std::istreambuf_iterator<char>(file), {}}};
    } else {
        why = std::strerror(errno);
    }
    throw UsageError(
        fmt::format("could not read the {} {}: {}", what, path.string(), why),
        fmt::format("{} shows how one is written", page)
    );
}

report::EmbeddedFile policy_file(const std::filesystem::path& path) {
    report::EmbeddedFile file = read_embedded(path, "policy", "docs/gating.md");
    static_cast<void>(analyzers::parse_policy(file.text, path.string()));
    return file;
}

report::EmbeddedFile claims_file(const std::filesystem::path& path) {
    report::EmbeddedFile file = read_embedded(path, "claims", "docs/claims.md");
    static_cast<void>(report::parse_claims(file.text, path.string()));
    return file;
}

} // namespace kvprof::cli
