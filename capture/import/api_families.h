#pragma once

#include "capture/model/trace.h"

#include <string_view>

namespace kvprof::import {

/// The family of a CUDA or HIP call by its name, with suffixes or without. Names of other calls,
/// and what a recorder writes for a call that it does not know ("INVALID"), are `other`.
[[nodiscard]] ApiKind family_of(std::string_view call);

/// "cudaGraphLaunch" of "cudaGraphLaunch_ptsz_v10000": without the version of the runtime, then
/// without the kind of default stream. The driver's "_v2" is another function, and stays.
[[nodiscard]] std::string_view canonical_call(std::string_view name);

} // namespace kvprof::import
