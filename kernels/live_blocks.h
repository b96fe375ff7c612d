#pragma once

#include "kernels/calls.h"

#include <cstdint>
#include <optional>

namespace kvprof::kernels {

/// Blocks of the launch that have at least one item to work on, by the launch geometry and the
/// lengths that the call points to; pointers are host memory. A block that finds its columns past
/// its lane's length exits at once and is not counted. Absent for kernels whose geometry follows
/// from their operands alone (tensor operations, K and V rows, attention): there every block has
/// work, or idleness is no question of the lengths.
[[nodiscard]] std::optional<std::int64_t> live_blocks(const KernelCall& call);

} // namespace kvprof::kernels
