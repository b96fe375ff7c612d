#include "analyzers/timeline.h"

#include <algorithm>
#include <numeric>

namespace kvprof::analyzers {

std::vector<Lane> lanes_of(const std::vector<TimeSpan>& spans) {
    std::vector<std::size_t> order(spans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return spans[a].start < spans[b].start;
    });
    std::vector<Lane> lanes;
    for (const std::size_t index : order) {
        const auto free = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
            const TimeSpan& last = spans[lane.back()];
            return last.start + last.duration <= spans[index].start;
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
