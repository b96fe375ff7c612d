#include "analyzers/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kvprof::analyzers {

std::chrono::nanoseconds end_of(const TimeSpan& span) {
    return span.start + span.duration;
}

TimeSpan span_of(const KernelEvent& event) {
    return {event.start, event.duration};
}

void widen(TimeSpan& span, const TimeSpan& other) {
    const std::chrono::nanoseconds end = std::max(end_of(span), end_of(other));
    span.start = std::min(span.start, other.start);
    span.duration = end - span.start;
}

std::vector<Lane> lanes_of(const std::vector<TimeSpan>& spans) {
    std::vector<std::size_t> order(spans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return spans[a].start < spans[b].start;
    });
    std::vector<Lane> lanes;
    for (const std::size_t index : order) {
        const auto free = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
            return end_of(spans[lane.back()]) <= spans[index].start;
        });
        if (free == lanes.end()) {
            lanes.push_back({index});
        } else {
            free->push_back(index);
        }
    }
    return lanes;
}

EventPlace place_of(const KernelEvent& event) {
    return {event.rank, event.device, event.stream};
}

PlaceNames::PlaceNames(const Run& run) {
    if (run.profile && run.profile->ranks.size() > 1) {
        for (const ProfileRank& rank : run.profile->ranks) {
            ranks_.push_back(rank.rank);
        }
    }
    for (const KernelEvent& event : run.events) {
        if (event.device > 0) {
            spread_ranks_.insert(event.rank);
        }
    }
}

std::string PlaceNames::rank(std::int64_t rank) const {
    if (ranks_.empty() && rank == 0) {
        return {};
    }
    const auto at = static_cast<std::size_t>(rank);
    return at < ranks_.size() && !ranks_[at].empty() ? "rank " + ranks_[at]
                                                     : fmt::format("rank {}", rank);
}

std::string PlaceNames::stream(const EventPlace& place) const {
    std::string words = rank(place.rank);
    words += words.empty() ? "" : ", ";
    if (spread_ranks_.contains(place.rank)) {
        words += fmt::format("device {}, ", place.device);
    }
    return words + fmt::format("stream {}", place.stream);
}

} // namespace kvprof::analyzers
