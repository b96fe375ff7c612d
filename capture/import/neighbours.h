#pragma once

#include "capture/import/kernel_table.h"
#include "capture/import/ranks.h"
#include "capture/import/records.h"
#include "capture/model/profile.h"

#include <vector>

namespace kvprof::import {

/// Which kernel most often ran before each one on its stream, and which after it. Of equally
/// frequent ones the first by name, so that a file's order decides nothing; kernels that start
/// and end together have no order, and are nobody's neighbours.
/// @pre GPU work is in order of time, as Figures leaves it
[[nodiscard]] std::vector<KernelNeighbours>
neighbours_of(const Recorded& recorded, const Ranks& ranks, const KernelTable& kernels);

} // namespace kvprof::import
