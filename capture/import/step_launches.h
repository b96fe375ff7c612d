#pragma once

#include "capture/import/figures.h"
#include "capture/import/records.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kvprof::import {

/// A call that launched work, and what it ran.
struct StepLaunch {
    std::int64_t start = 0;
    std::uint32_t lane = 0;
    std::uint64_t signature = 0; ///< equal where the same work ran
};

/// Of one thread, in time order.
using StepLaunches = std::span<const StepLaunch>;

struct ProcessLaunches {
    std::uint32_t process = 0;
    StepLaunches launches;
};

/// For each process, in order of their names, the launches of the thread that has most of them:
/// parts of `launches`, which is put in order. Launches without a time are dropped from it.
[[nodiscard]] std::vector<ProcessLaunches>
of_busiest_threads(const Recorded& recorded, std::vector<StepLaunch>& launches);

[[nodiscard]] std::vector<StepLaunch> graph_launches_of(const Figures& figures);

/// The launches of kernels outside graphs, one a kernel. Orphans have none.
[[nodiscard]] std::vector<StepLaunch>
kernel_launches_of(const Recorded& recorded, Figures& figures);

/// Where a thread goes on after a wait for a copy to the host.
struct StepCut {
    std::size_t place = 0;     ///< in its launches; their size where none follows
    std::int64_t wait_end = 0; ///< of the wait
};

/// A loop that reads its tokens back waits so once a step. In order of time, a place once.
[[nodiscard]] std::vector<StepCut>
places_after_waits(const Recorded& recorded, Figures& figures, const StepLaunches& launches);

} // namespace kvprof::import
