#pragma once

#include "capture/model/trace.h"

#include <string_view>

namespace kvprof {

/// The family of a CUDA or HIP function by the name that a recorder gives a call of it:
/// "cudaLaunchKernel_v7000", "cuGraphLaunch_ptsz", "hipModuleLaunchKernel". Names, not numbers:
/// functions of a newer CUPTI are classified as well. Others, and what a recorder writes for a call
/// that it does not know ("INVALID"), are `other`.
[[nodiscard]] ApiKind classify_api(std::string_view call);

/// Without version and stream suffixes in any order: "cuMemcpyHtoD" of "cuMemcpyHtoD_v2_ptds".
[[nodiscard]] std::string_view function_name(std::string_view call);

/// "cudaGraphLaunch" of "cudaGraphLaunch_ptsz_v10000": without the version of the runtime, then
/// without the kind of default stream. The driver's "_v2" is another function, and stays.
[[nodiscard]] std::string_view canonical_call(std::string_view name);

} // namespace kvprof
