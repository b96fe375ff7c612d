#include "capture/import/kernel_table.h"

#include <algorithm>
#include <array>
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

bool comes_before(const KernelStat& a, const KernelStat& b) {
    return std::tuple(b.time, b.launches, a.kind, std::string_view(a.name))
           < std::tuple(a.time, a.launches, b.kind, std::string_view(b.name));
}

/// What ran under one name.
struct NamedWork {
    WorkTimes times;
    std::map<LaunchShape, std::int64_t> shapes; ///< launches of each

    /// The commonest; of equally common ones the least, so that a file's order decides nothing.
    [[nodiscard]] LaunchShape shape() const {
        return std::max_element(
                   shapes.begin(),
                   shapes.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; }
        )->first;
    }
};

Dim3 sizes_of(const std::array<std::uint32_t, 3>& sizes) {
    return {sizes[0], sizes[1], sizes[2]};
}

using Key = std::pair<EventKind, std::uint32_t>; ///< kind and name

std::map<Key, NamedWork> work_by_name(const Recorded& recorded, const Figures& figures) {
    std::map<Key, NamedWork> all;
    for (std::uint32_t id = 0; id < recorded.works.size(); ++id) {
        const Work& work = recorded.works[id];
        const WorkTimes& times = figures.works()[id];
        if (work.kind == EventKind::graph_replay || times.timed.count == 0) {
            continue;
        }
        NamedWork& named = all[{work.kind, work.name}];
        named.shapes[recorded.shapes[work.shape]] += times.timed.count;
        WorkTimes& sum = named.times;
        sum.timed.count += times.timed.count;
        sum.timed.sum = sum_of(sum.timed.sum, times.timed.sum);
        sum.shortest = std::min(sum.shortest, times.shortest);
        sum.longest = std::max(sum.longest, times.longest);
    }
    return all;
}

} // namespace

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

KernelTable kernel_table(const Recorded& recorded, const Figures& figures) {
    std::vector<std::pair<KernelStat, Key>> rows;
    for (const auto& [key, named] : work_by_name(recorded, figures)) {
        const WorkTimes& times = named.times;
        const LaunchShape shape = named.shape();
        KernelStat stat;
        stat.kind = activity_of(key.first);
        stat.name = recorded.names.text(key.second);
        stat.copy = copy_of(key.first, stat.name);
        stat.grid = sizes_of(shape.grid);
        stat.block = sizes_of(shape.block);
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
