#include "analyzers/step_timeline.h"

#include "analyzers/kernel_sides.h"
#include "analyzers/timeline.h"
#include "capture/model/error.h"
#include "capture/model/profile_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kvprof::analyzers {

namespace {

using std::chrono::nanoseconds;
using Events = std::vector<const KernelEvent*>;

/// From the first record to the last, of the longest rank.
nanoseconds wall_of(const Events& events) {
    std::map<std::int64_t, TimeSpan> ranks;
    for (const KernelEvent* event : events) {
        widen(ranks.try_emplace(event->rank, span_of(*event)).first->second, span_of(*event));
    }
    nanoseconds longest{0};
    for (const auto& [rank, span] : ranks) {
        longest = std::max(longest, span.duration);
    }
    return longest;
}

/// @pre ordered by start
nanoseconds gaps_of(const Events& events) {
    std::map<std::pair<std::int64_t, std::int64_t>, nanoseconds> ends; // by rank and device
    nanoseconds gaps{0};
    for (const KernelEvent* event : events) {
        const nanoseconds event_end = end_of(span_of(*event));
        const auto [end, is_first] = ends.try_emplace({event->rank, event->device}, event_end);
        if (!is_first) {
            gaps += std::max(event->start - end->second, nanoseconds(0));
            end->second = std::max(end->second, event_end);
        }
    }
    return gaps;
}

using Steps = std::map<std::int64_t, Events>;

Steps steps_of(const Run& run) {
    Steps steps;
    for (const KernelEvent& event : run.events) {
        steps[event.step].push_back(&event);
    }
    return steps;
}

std::size_t median_place(const Steps& steps) {
    std::vector<std::pair<nanoseconds, std::size_t>> lengths;
    for (const auto& [step, events] : steps) {
        lengths.emplace_back(wall_of(events), lengths.size());
    }
    std::sort(lengths.begin(), lengths.end());
    return lengths[(lengths.size() - 1) / 2].second;
}

std::size_t checked_place(std::int64_t place, const Steps& steps, const std::string& what) {
    const auto kept = static_cast<std::int64_t>(steps.size());
    if (place < 0 || place >= kept) {
        throw UsageError(
            fmt::format(
                "could not draw step {} of {}: the records of {} step{} were kept",
                place,
                what,
                kept,
                kept == 1 ? "" : "s"
            ),
            kept == 1 ? "--step 0 is the only one"
                      : fmt::format("--step takes 0 to {}, in the order of time", kept - 1)
        );
    }
    return static_cast<std::size_t>(place);
}

const KernelStat& kernel_of(const KernelEvent& event, const Run& run) {
    const auto at = static_cast<std::size_t>(event.kernel);
    if (at >= run.kernels.size()) {
        throw BadDataError(fmt::format(
            "could not draw run {}: an event names kernel {} of {}",
            run.uuid,
            event.kernel,
            run.kernels.size()
        ));
    }
    return run.kernels[at];
}

/// @pre ordered by start
void add_lanes(const Events& events, const Run& run, StepTimeline& timeline) {
    const PlaceNames names(run);
    std::map<std::string, std::size_t> places;
    std::map<EventPlace, StepLane> lanes;
    const nanoseconds origin = events.front()->start;
    for (const KernelEvent* event : events) {
        const auto [name, is_new] =
            places.try_emplace(full_name(kernel_of(*event, run)), timeline.names.size());
        if (is_new) {
            timeline.names.push_back(name->first);
        }
        StepBar bar;
        bar.start = event->start - origin;
        bar.duration = event->duration;
        bar.name = name->second;
        lanes[place_of(*event)].bars.push_back(bar);
    }
    for (auto& [place, lane] : lanes) {
        lane.name = names.stream(place);
        timeline.lanes.push_back(std::move(lane));
    }
}

void add_profile(const Run& run, const Events& events, StepTimeline& timeline) {
    if (!run.profile) {
        return;
    }
    if (total_of(*run.profile, "graph_trace.count") > 0) {
        timeline.gaps.reset();
    }
    std::set<std::string> files;
    std::set<std::int64_t> ranks;
    for (const KernelEvent* event : events) {
        const auto rank = static_cast<std::size_t>(event->rank);
        if (ranks.insert(event->rank).second && rank < run.profile->ranks.size()) {
            files.insert(run.profile->ranks[rank].file);
        }
    }
    timeline.has_own_clocks = files.size() > 1;
    const auto first = static_cast<std::size_t>(events.front()->rank);
    const auto step = static_cast<std::size_t>(timeline.step);
    if (first < run.profile->ranks.size() && step < run.profile->ranks[first].steps.size()) {
        timeline.step_name = run.profile->ranks[first].steps[step].name;
    }
}

/// Bars that are drawn as one.
class Group {
  public:
    explicit Group(const StepBar& bar)
        : bar_(bar) {
        count(bar);
    }

    [[nodiscard]] nanoseconds end() const { return bar_.start + bar_.duration; }

    [[nodiscard]] bool takes(const StepBar& next, nanoseconds limit) const {
        return bar_.duration < limit && next.duration < limit && next.start - end() < limit
               && next.start - bar_.start < limit;
    }

    void take(const StepBar& next) {
        bar_.duration = std::max(end(), next.start + next.duration) - bar_.start;
        bar_.records += next.records;
        count(next);
    }

    [[nodiscard]] StepBar bar() const {
        StepBar bar = bar_;
        const auto most =
            std::max_element(times_.begin(), times_.end(), [](const auto& a, const auto& b) {
                return std::pair(a.second, b.first) < std::pair(b.second, a.first);
            });
        bar.name = most->first;
        bar.has_others = times_.size() > 1;
        return bar;
    }

  private:
    void count(const StepBar& bar) { times_[bar.name] += bar.duration; }

    StepBar bar_;
    std::map<std::size_t, nanoseconds> times_; ///< by name
};

} // namespace

StepTimeline
step_timeline(const Run& run, const std::string& side, std::optional<std::int64_t> place) {
    const Steps steps = steps_of(run);
    const std::string what = side.empty() ? "run " + run.uuid : side;
    const std::size_t at = place ? checked_place(*place, steps, what) : median_place(steps);
    const auto chosen = std::next(steps.begin(), static_cast<std::ptrdiff_t>(at));
    Events events = chosen->second;
    std::stable_sort(events.begin(), events.end(), [](const auto* a, const auto* b) {
        return std::tuple(a->start, b->duration) < std::tuple(b->start, a->duration);
    });
    StepTimeline timeline;
    timeline.side = side;
    timeline.run = run.uuid;
    timeline.step = chosen->first;
    timeline.place = static_cast<std::int64_t>(at);
    timeline.kept = static_cast<std::int64_t>(steps.size());
    timeline.is_chosen = place.has_value();
    timeline.wall = wall_of(events);
    timeline.gaps = gaps_of(events);
    for (const KernelEvent* event : events) {
        if (kernel_of(*event, run).kind == ActivityKind::kernel) {
            ++timeline.kernels;
            timeline.kernel_time += event->duration;
        }
    }
    add_profile(run, events, timeline);
    add_lanes(events, run, timeline);
    return timeline;
}

std::vector<StepBar> merged(const std::vector<StepBar>& bars, nanoseconds limit) {
    std::vector<StepBar> all;
    std::optional<Group> group;
    for (const StepBar& bar : bars) {
        if (group && group->takes(bar, limit)) {
            group->take(bar);
            continue;
        }
        if (group) {
            all.push_back(group->bar());
        }
        group.emplace(bar);
    }
    if (group) {
        all.push_back(group->bar());
    }
    return all;
}

std::vector<std::string> names_by_time(const std::vector<StepTimeline>& timelines) {
    std::map<std::string, nanoseconds> times;
    for (const StepTimeline& timeline : timelines) {
        for (const StepLane& lane : timeline.lanes) {
            for (const StepBar& bar : lane.bars) {
                times[timeline.names[bar.name]] += bar.duration;
            }
        }
    }
    std::vector<std::pair<nanoseconds, std::string>> rows;
    for (const auto& [name, time] : times) {
        rows.emplace_back(-time, name);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<std::string> names;
    for (auto& [time, name] : rows) {
        names.push_back(std::move(name));
    }
    return names;
}

} // namespace kvprof::analyzers
