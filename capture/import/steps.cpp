#include "capture/import/steps.h"

#include <algorithm>
#include <tuple>

namespace kvprof::import {

Steps::Steps(const Recorded& recorded, Figures& figures)
    : recorded_(&recorded),
      figures_(&figures),
      found_(find_steps(recorded, figures)),
      shown_(figures.totals().size()),
      skipped_(figures.totals().size()) {
    std::sort(
        found_.ranges.begin(),
        found_.ranges.end(),
        [](const StepRange& a, const StepRange& b) {
            return std::tuple(a.process, a.start) < std::tuple(b.process, b.start);
        }
    );
    place_ranges();
    if (!found_.ranges.empty()) {
        add_launches();
        add_kernels();
    }
}

void Steps::place_ranges() {
    places_.resize(found_.ranges.size());
    std::vector<std::vector<std::size_t>> by_rank(shown_.size());
    for (std::size_t range = 0; range < places_.size(); ++range) {
        places_[range].rank = found_.ranges[range].rank;
        by_rank[places_[range].rank].push_back(range);
    }
    const auto skip_first = std::max<std::int64_t>(recorded_->options.skip_first, 0);
    const auto skip_last = std::max<std::int64_t>(recorded_->options.skip_last, 0);
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
        std::vector<std::size_t>& ranges = by_rank[rank];
        std::stable_sort(ranges.begin(), ranges.end(), [this](std::size_t a, std::size_t b) {
            return found_.ranges[a].start < found_.ranges[b].start;
        });
        const Span& wall = figures_->totals()[rank].wall;
        const auto count = static_cast<std::int64_t>(ranges.size());
        for (std::int64_t i = skip_first; i < count && i < count - skip_last; ++i) {
            const std::size_t at = ranges[static_cast<std::size_t>(i)];
            const StepRange& range = found_.ranges[at];
            const std::int64_t first = wall.empty() ? range.start : wall.start;
            const std::int64_t end = range.name == 0 ? std::min(range.end, wall.end) : range.end;
            ProfileStep step;
            step.name = recorded_->names.text(range.name);
            step.start = std::chrono::nanoseconds(sum_of(range.start, -first));
            step.duration = std::chrono::nanoseconds(sum_of(end, -range.start));
            places_[at].step = shown_[rank].size();
            shown_[rank].push_back(std::move(step));
        }
        skipped_[rank] = count - static_cast<std::int64_t>(shown_[rank].size());
    }
}

/// kNone where the process was in no step at that time.
std::size_t Steps::range_of(std::uint32_t process, std::int64_t time) {
    const auto holds = [&](std::size_t at) {
        const StepRange& range = found_.ranges[at];
        return range.process == process && range.start <= time && time < range.end;
    };
    const bool may_be_next = last_ + 1 < found_.ranges.size()
                             && found_.ranges[last_ + 1].process == process
                             && found_.ranges[last_ + 1].start <= time;
    if (holds(last_) && !may_be_next) {
        return last_;
    }
    const auto after = std::upper_bound(
        found_.ranges.begin(),
        found_.ranges.end(),
        std::tuple(process, time),
        [](const auto& wanted, const StepRange& range) {
            return wanted < std::tuple(range.process, range.start);
        }
    );
    const auto at = static_cast<std::size_t>(after - found_.ranges.begin());
    if (at == 0 || !holds(at - 1)) {
        return kNone;
    }
    last_ = at - 1;
    return last_;
}

std::size_t Steps::range_of(const Record& work) {
    const CallGroup launch = figures_->launch_of(work);
    return launch.empty() ? kNone : range_of(figures_->calls().process(launch.begin), launch.start);
}

ProfileStep* Steps::step_of(std::size_t range) {
    if (range == kNone || places_[range].step == kNone) {
        return nullptr;
    }
    return &shown_[places_[range].rank][places_[range].step];
}

void Steps::add_launches() {
    const CallIndex& calls = figures_->calls();
    for (std::size_t at = 0; at < calls.size();) {
        const CallGroup group = calls.group_at(at);
        if (group.has_launch || group.has_graph_launch) {
            if (ProfileStep* const step = step_of(range_of(calls.process(at), group.start))) {
                step->launches += group.has_launch ? 1 : 0;
                step->graph_launches += group.has_graph_launch ? 1 : 0;
            }
        }
        at = group.end;
    }
}

void Steps::add_kernels() {
    for (const Record& work : recorded_->gpu) {
        const Lane& lane = recorded_->lanes[work.lane];
        if (lane.kind != EventKind::kernel || !lane.has_time) {
            continue;
        }
        if (ProfileStep* const step = step_of(range_of(work))) {
            ++step->kernels;
            step->kernel_sum += std::chrono::nanoseconds(recorded_->duration(work));
        }
    }
}

} // namespace kvprof::import
