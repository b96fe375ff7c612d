#include "capture/import/steps.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace kvprof::import {

namespace {

/// 7 of "7" and of "stream 7"; 0 where the text ends in no number.
std::int64_t stream_number(std::string_view text) {
    const std::size_t before = text.find_last_not_of("0123456789");
    const std::string_view digits =
        before == std::string_view::npos ? text : text.substr(before + 1);
    std::int64_t number = 0;
    static_cast<void>(std::from_chars(digits.data(), digits.data() + digits.size(), number));
    return number;
}

/// Which of its rank's devices each lane is of, in the order of their names.
std::vector<std::int64_t> devices_of(const Recorded& recorded, const Ranks& ranks) {
    using Device = std::tuple<std::uint32_t, std::size_t, std::string_view>; // "2" before "10"
    std::vector<Device> of_lane;
    for (std::uint32_t id = 0; id < recorded.lanes.size(); ++id) {
        const std::string_view name = recorded.names.text(recorded.lanes[id].place);
        of_lane.emplace_back(ranks.place(id).rank, name.size(), name);
    }
    std::set<Device> all;
    for (std::uint32_t id = 0; id < recorded.lanes.size(); ++id) {
        const EventKind kind = recorded.lanes[id].kind;
        if (kind != EventKind::api && kind != EventKind::cpu_op) {
            all.insert(of_lane[id]);
        }
    }
    std::vector<std::int64_t> places;
    for (const Device& device : of_lane) {
        const auto first = all.lower_bound({std::get<0>(device), 0, {}});
        places.push_back(std::distance(first, all.lower_bound(device)));
    }
    return places;
}

} // namespace

std::vector<KernelEvent> Steps::kept_events(const KernelTable& kernels) {
    std::vector<KernelEvent> events;
    const std::int64_t wanted = recorded_->options.keep_events;
    if (wanted <= 0 || found_.ranges.empty()) {
        return events;
    }
    const Ranks& ranks = figures_->ranks();
    const std::vector<std::int64_t> devices = devices_of(*recorded_, ranks);
    std::int64_t first_start = std::numeric_limits<std::int64_t>::max();
    for (const Record& work : recorded_->gpu) {
        const Lane& lane = recorded_->lanes[work.lane];
        const std::int64_t kernel = kernels.places[work.what];
        if (!lane.has_time || kernel < 0) {
            continue;
        }
        const std::size_t range = range_of(work);
        if (step_of(range) == nullptr || static_cast<std::int64_t>(places_[range].step) >= wanted) {
            continue;
        }
        first_start = std::min(first_start, work.start);
        KernelEvent event;
        event.step = static_cast<std::int64_t>(places_[range].step);
        event.kernel = kernel;
        event.stream = stream_number(recorded_->names.text(lane.stream));
        event.node = recorded_->works[work.what].node;
        event.start = std::chrono::nanoseconds(work.start);
        event.duration = std::chrono::nanoseconds(recorded_->duration(work));
        event.rank = ranks.place(work.lane).rank;
        event.device = devices[work.lane];
        events.push_back(event);
    }
    for (KernelEvent& event : events) {
        // Times of a broken file may be anything, and an end has to be a number, too.
        event.start = std::min(
            std::chrono::nanoseconds(sum_of(event.start.count(), -first_start)),
            std::chrono::nanoseconds::max() - event.duration
        );
    }
    // Work that starts together has no order of its own, and a file's order is none.
    const auto key = [](const KernelEvent& event) {
        return std::tuple(
            event.start,
            event.rank,
            event.device,
            event.stream,
            event.duration,
            event.kernel,
            event.node
        );
    };
    std::sort(events.begin(), events.end(), [&](const KernelEvent& a, const KernelEvent& b) {
        return key(a) < key(b);
    });
    return events;
}

} // namespace kvprof::import
