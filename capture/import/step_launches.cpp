#include "capture/import/step_launches.h"

#include "capture/import/kernel_table.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace kvprof::import {

namespace {

bool comes_before(const StepLaunch& a, const StepLaunch& b) {
    return std::tie(a.lane, a.start, a.signature) < std::tie(b.lane, b.start, b.signature);
}

/// Calls `take` with the call that launched each record of a kind and with what it was.
template<class Take>
void for_each_launched(
    const Recorded& recorded, Figures& figures, EventKind kind, const Take& take
) {
    for (const Record& work : recorded.gpu) {
        if (recorded.lanes[work.lane].kind != kind) {
            continue;
        }
        const CallGroup launch = figures.launch_of(work);
        if (!launch.empty()) {
            take(launch, recorded.works[work.what].name);
        }
    }
}

/// When a thread asked for copies to the host, in time order.
std::vector<std::int64_t>
copies_to_host(const Recorded& recorded, Figures& figures, std::uint32_t lane) {
    std::vector<std::int64_t> starts;
    const auto take = [&](const CallGroup& launch, std::uint32_t name) {
        const CopyKind copy = copy_of(EventKind::memory_copy, recorded.names.text(name));
        if (copy == CopyKind::device_to_host && figures.calls().call(launch.begin).lane == lane) {
            starts.push_back(launch.start);
        }
    };
    for_each_launched(recorded, figures, EventKind::memory_copy, take);
    std::sort(starts.begin(), starts.end());
    return starts;
}

/// When a thread waited for the GPU, from when to when, in time order.
std::vector<std::pair<std::int64_t, std::int64_t>>
waits_of(const Recorded& recorded, Figures& figures, std::uint32_t lane) {
    std::vector<std::pair<std::int64_t, std::int64_t>> waits;
    for (const Record& call : recorded.calls) {
        if (call.lane == lane && figures.calls().family(call) == ApiKind::synchronize) {
            waits.emplace_back(call.start, sum_of(call.start, recorded.duration(call)));
        }
    }
    std::sort(waits.begin(), waits.end());
    return waits;
}

/// Whether a thread launches more than another of its process, or as much and earlier; of those
/// that are still alike its name decides, as a file's order must not.
bool is_busier(const Recorded& recorded, StepLaunches a, StepLaunches b) {
    const auto thread = [&](StepLaunches launches) {
        return std::string_view(recorded.names.text(recorded.lanes[launches.front().lane].place));
    };
    return std::tuple(b.size(), a.front().start, thread(a))
           < std::tuple(a.size(), b.front().start, thread(b));
}

} // namespace

std::vector<ProcessLaunches>
of_busiest_threads(const Recorded& recorded, std::vector<StepLaunch>& launches) {
    std::erase_if(launches, [&](const StepLaunch& launch) {
        return !recorded.lanes[launch.lane].has_time;
    });
    std::sort(launches.begin(), launches.end(), comes_before);
    std::map<std::string_view, ProcessLaunches> busiest;
    for (auto first = launches.cbegin(); first != launches.cend();) {
        const auto end = std::find_if(first, launches.cend(), [&](const StepLaunch& launch) {
            return launch.lane != first->lane;
        });
        const StepLaunches own(first, end);
        const std::uint32_t process = recorded.lanes[first->lane].process;
        ProcessLaunches& most = busiest[recorded.names.text(process)];
        if (most.launches.empty() || is_busier(recorded, own, most.launches)) {
            most = {process, own};
        }
        first = end;
    }
    std::vector<ProcessLaunches> found;
    for (const auto& [name, own] : busiest) {
        found.push_back(own);
    }
    return found;
}

std::vector<StepLaunch> graph_launches_of(const Figures& figures) {
    std::vector<StepLaunch> launches;
    for (const GraphLaunch& launch : figures.graph_launches()) {
        launches.push_back({launch.start, launch.lane, launch.signature});
    }
    return launches;
}

std::vector<StepLaunch> kernel_launches_of(const Recorded& recorded, Figures& figures) {
    std::vector<StepLaunch> launches;
    launches.reserve(recorded.gpu.size()); // growth would hold it twice
    const auto take = [&](const CallGroup& launch, std::uint32_t name) {
        if (launch.has_launch) {
            const std::uint32_t lane = figures.calls().call(launch.begin).lane;
            launches.push_back({launch.start, lane, recorded.names.hash(name)});
        }
    };
    for_each_launched(recorded, figures, EventKind::kernel, take);
    return launches;
}

std::vector<StepCut>
places_after_waits(const Recorded& recorded, Figures& figures, const StepLaunches& launches) {
    std::vector<StepCut> cuts;
    if (launches.empty()) {
        return cuts;
    }
    const std::uint32_t lane = launches.front().lane;
    const std::vector<std::int64_t> copies = copies_to_host(recorded, figures, lane);
    auto copy = copies.begin();
    for (const auto& [wait, wait_end] : waits_of(recorded, figures, lane)) {
        if (copy == copies.end() || *copy > wait) {
            continue; // a wait for something else
        }
        copy = std::upper_bound(copy, copies.end(), wait);
        const auto next = std::partition_point(
            launches.begin(),
            launches.end(),
            [start = wait](const StepLaunch& launch) { return launch.start <= start; }
        );
        const auto place = static_cast<std::size_t>(next - launches.begin());
        if (cuts.empty() || place > cuts.back().place) {
            cuts.push_back({place, wait_end});
        }
    }
    return cuts;
}

} // namespace kvprof::import
