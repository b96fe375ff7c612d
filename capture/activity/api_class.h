#pragma once

#include "capture/model/trace.h"

#include <string>
#include <string_view>

namespace kvprof::activity {

/// The family of a CUDA function by the name that CUPTI gives its callback id, in either domain:
/// "cudaLaunchKernel_v7000", "cuGraphLaunch_ptsz". Names, not numbers: a newer CUPTI's functions
/// are classified as well.
[[nodiscard]] ApiKind classify_api(std::string_view callback_name);

/// The function's name without version and stream suffixes ("_v7000", "_ptsz", "_ptds").
[[nodiscard]] std::string function_name(std::string_view callback_name);

/// Whether a pass that counts must hear of calls of this kind.
[[nodiscard]] constexpr bool is_counted(ApiKind kind) {
    return kind != ApiKind::other;
}

} // namespace kvprof::activity
