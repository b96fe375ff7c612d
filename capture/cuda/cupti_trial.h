#pragma once

#include "capture/cuda/cupti_api.h"
#include "capture/cupti_probe.h"

namespace kvprof::cuda {

/// probe_cupti_session with functions that are loaded already.
[[nodiscard]] CuptiProbe try_cupti(const CuptiApi& api);

} // namespace kvprof::cuda
