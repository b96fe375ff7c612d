#include "capture/import/steps.h"

#include <algorithm>
#include <charconv>
#include <chrono>
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

} // namespace

std::vector<KernelEvent> Steps::kept_events(const KernelTable& kernels) {
    std::vector<KernelEvent> events;
    const std::int64_t wanted = recorded_->options.keep_events;
    if (wanted <= 0 || found_.ranges.empty()) {
        return events;
    }
    std::int64_t first_start = 0;
    for (const Record& work : recorded_->gpu) {
        const Lane& lane = recorded_->lanes[work.lane];
        const std::int64_t kernel = kernels.places[work.what];
        if (!lane.has_time || kernel < 0 || figures_->ranks().place(work.lane).rank != 0) {
            continue;
        }
        const std::size_t range = range_of(work);
        if (step_of(range) == nullptr || static_cast<std::int64_t>(places_[range].step) >= wanted) {
            continue;
        }
        first_start = events.empty() ? work.start : first_start;
        KernelEvent event;
        event.step = static_cast<std::int64_t>(places_[range].step);
        event.kernel = kernel;
        event.stream = stream_number(recorded_->names.text(lane.stream));
        event.node = recorded_->works[work.what].node;
        event.start = std::chrono::nanoseconds(sum_of(work.start, -first_start));
        event.duration = std::chrono::nanoseconds(recorded_->duration(work));
        events.push_back(event);
    }
    // Work that starts together has no order of its own, and a file's order is none.
    std::sort(events.begin(), events.end(), [](const KernelEvent& a, const KernelEvent& b) {
        return std::tie(a.start, a.stream, a.duration, a.kernel, a.node)
               < std::tie(b.start, b.stream, b.duration, b.kernel, b.node);
    });
    return events;
}

} // namespace kvprof::import
