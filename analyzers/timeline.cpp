#include "analyzers/timeline.h"

#include <algorithm>
#include <numeric>

namespace kvprof::analyzers {

std::vector<Lane> lanes_of(const std::vector<Interval>& intervals) {
    std::vector<std::size_t> order(intervals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return intervals[a].start < intervals[b].start;
    });
    std::vector<Lane> lanes;
    for (const std::size_t index : order) {
        const auto free = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
            const Interval& last = intervals[lane.back()];
            return last.start + last.duration <= intervals[index].start;
        });
        if (free == lanes.end()) {
            lanes.push_back({index});
        } else {
            free->push_back(index);
        }
    }
    return lanes;
}

} // namespace kvprof::analyzers
