#pragma once

#include <string_view>

namespace kvprof::cli {

/// Release version, such as "0.1.0".
[[nodiscard]] std::string_view version() noexcept;

/// `git describe` of the source that was built, or "unknown" outside a git checkout.
[[nodiscard]] std::string_view build_id() noexcept;

/// Day of the commit that was built, "2025-06-01".
[[nodiscard]] std::string_view source_day() noexcept;

/// GPU architectures that this program carries code for; empty when it was built without CUDA.
[[nodiscard]] std::string_view cuda_architectures() noexcept;

/// CUDA runtime that this program carries: 13000 is 13.0; 0 when it was built without CUDA.
[[nodiscard]] int cuda_runtime() noexcept;

/// Of the library that the store was built with.
[[nodiscard]] std::string_view sqlite_version() noexcept;

} // namespace kvprof::cli
