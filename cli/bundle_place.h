#pragma once

#include <filesystem>

namespace kvprof::cli {

/// The bundle that stands beside a report: "pr.db" of "pr.md" and of "pr.md.gz".
[[nodiscard]] std::filesystem::path bundle_beside(std::filesystem::path report);

} // namespace kvprof::cli
