#pragma once

#include "kernels/calls.h"

#include <cstdint>

namespace kvprof::kernels {

/// As least_bytes.h has it. Lengths, rows, token ids and locations are read for both streams at
/// once; a window's tokens are among the full stream's.
[[nodiscard]] std::int64_t fused_least_bytes(const FusedMetadataCall& call);

} // namespace kvprof::kernels
