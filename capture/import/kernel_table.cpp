#include "capture/import/kernel_table.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace kvprof::import {

namespace {

ActivityKind activity_of(EventKind kind) {
    return kind == EventKind::memory_copy  ? ActivityKind::memory_copy
           : kind == EventKind::memory_set ? ActivityKind::memory_set
                                           : ActivityKind::kernel;
}

/// By the name that both recorders give: "Memcpy HtoD (Pinned -> Device)".
CopyKind copy_of(EventKind kind, std::string_view name) {
    if (kind != EventKind::memory_copy) {
        return CopyKind::none;
    }
    constexpr auto kMissing = std::string_view::npos;
    return name.find("HtoD") != kMissing   ? CopyKind::host_to_device
           : name.find("DtoH") != kMissing ? CopyKind::device_to_host
           : name.find("DtoD") != kMissing ? CopyKind::device_to_device
                                           : CopyKind::other;
}

bool comes_before(const KernelStat& a, const KernelStat& b) {
    return std::tuple(b.time, b.launches, a.kind, std::string_view(a.name))
           < std::tuple(a.time, a.launches, b.kind, std::string_view(b.name));
}

} // namespace

KernelTable kernel_table(const Recorded& recorded, const Figures& figures) {
    using Key = std::pair<EventKind, std::uint32_t>;
    std::map<Key, WorkTimes> sums;
    for (std::uint32_t id = 0; id < recorded.works.size(); ++id) {
        const Work& work = recorded.works[id];
        const WorkTimes& times = figures.works()[id];
        if (work.kind == EventKind::graph_replay || times.timed.count == 0) {
            continue;
        }
        WorkTimes& sum = sums[{work.kind, work.name}];
        sum.timed.count += times.timed.count;
        sum.timed.sum = sum_of(sum.timed.sum, times.timed.sum);
        sum.shortest = std::min(sum.shortest, times.shortest);
        sum.longest = std::max(sum.longest, times.longest);
    }
    std::vector<std::pair<KernelStat, Key>> rows;
    for (const auto& [key, times] : sums) {
        KernelStat stat;
        stat.kind = activity_of(key.first);
        stat.name = recorded.names.text(key.second);
        stat.copy = copy_of(key.first, stat.name);
        stat.launches = times.timed.count;
        stat.time = std::chrono::nanoseconds(times.timed.sum);
        stat.shortest = std::chrono::nanoseconds(times.shortest);
        stat.longest = std::chrono::nanoseconds(times.longest);
        rows.emplace_back(std::move(stat), key);
    }
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return comes_before(a.first, b.first);
    });
    KernelTable table;
    std::map<Key, std::int64_t> places;
    for (auto& [stat, key] : rows) {
        places[key] = static_cast<std::int64_t>(table.kernels.size());
        table.kernels.push_back(std::move(stat));
    }
    for (std::uint32_t id = 0; id < recorded.works.size(); ++id) {
        const Work& work = recorded.works[id];
        const auto place = places.find({work.kind, work.name});
        table.places.push_back(place == places.end() ? -1 : place->second);
    }
    return table;
}

std::vector<ApiStat> call_table(const Recorded& recorded, const CallIndex& calls) {
    std::vector<std::int64_t> counts(recorded.names.size());
    std::vector<ApiKind> families(recorded.names.size(), ApiKind::other);
    for (const Record& call : recorded.calls) {
        ++counts[call.what];
        families[call.what] = calls.family(call);
    }
    std::vector<ApiStat> table;
    for (std::uint32_t name = 0; name < counts.size(); ++name) {
        if (counts[name] > 0) {
            ApiStat stat;
            stat.call = recorded.names.text(name);
            stat.kind = families[name];
            stat.role = Role::none;
            stat.calls = counts[name];
            table.push_back(std::move(stat));
        }
    }
    std::sort(table.begin(), table.end(), [](const ApiStat& a, const ApiStat& b) {
        return a.calls != b.calls ? a.calls > b.calls : a.call < b.call;
    });
    return table;
}

} // namespace kvprof::import
