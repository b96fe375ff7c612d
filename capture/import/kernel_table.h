#pragma once

#include "capture/import/figures.h"
#include "capture/import/records.h"
#include "capture/model/trace.h"

#include <cstdint>
#include <vector>

namespace kvprof::import {

/// What ran, by kind and full name, in order of falling time.
struct KernelTable {
    std::vector<KernelStat> kernels;
    std::vector<std::int64_t> places; ///< in `kernels`, by id of Recorded::works; -1 for a replay
};

[[nodiscard]] KernelTable kernel_table(const Recorded& recorded, const Figures& figures);

/// What was called, by name, in order of falling count.
[[nodiscard]] std::vector<ApiStat> call_table(const Recorded& recorded, const CallIndex& calls);

} // namespace kvprof::import
