#pragma once

#include "capture/import/figures.h"
#include "capture/import/records.h"
#include "capture/model/trace.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// What ran, by kind and full name, in order of falling time; a kernel has the launch shape that it
/// had most often.
struct KernelTable {
    std::vector<KernelStat> kernels;
    std::vector<std::int64_t> places; ///< in `kernels`, by id of Recorded::works; -1 for a replay
};

[[nodiscard]] KernelTable kernel_table(const Recorded& recorded, const Figures& figures);

/// By the name that both recorders give: "Memcpy HtoD (Pinned -> Device)".
[[nodiscard]] CopyKind copy_of(EventKind kind, std::string_view name);

/// What was called, by name, in order of falling count.
[[nodiscard]] std::vector<ApiStat> call_table(const Recorded& recorded, const CallIndex& calls);

} // namespace kvprof::import
