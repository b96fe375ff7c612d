#pragma once

#include "capture/model/ceilings.h"

#include <cstdint>
#include <vector>

namespace kvprof {

/// The copies to measure on a device, without bandwidths: 2, 8 and 16 MiB from L2, where source and
/// target fill at most two thirds of it; 256 MiB and 1 GiB from device memory, where both leave a
/// quarter of what is free, else the largest power of two that does and is past the L2.
/// Without any of device memory when there is not that much.
[[nodiscard]] std::vector<CopyCeiling> copies_to_measure(Bytes free, Bytes l2);

/// Measures a device in this process, about a second; Ceilings::measured_at stays empty. Its memory
/// is free again afterwards.
/// @throws UnavailableError when there is no such device, or not enough memory on it.
[[nodiscard]] Ceilings measure_ceilings(std::int64_t device);

} // namespace kvprof
