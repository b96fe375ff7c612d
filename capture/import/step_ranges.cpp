#include "capture/import/step_ranges.h"

#include "capture/import/step_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

namespace kvprof::import {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

using Launches = std::vector<GraphLaunch>;

/// Annotations may nest: the outermost of a process are its steps.
void keep_outermost(std::vector<StepRange>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const StepRange& a, const StepRange& b) {
        return std::tuple(a.process, a.start, b.end) < std::tuple(b.process, b.start, a.end);
    });
    std::vector<StepRange> kept;
    for (const StepRange& range : ranges) {
        const bool is_inside =
            !kept.empty() && kept.back().process == range.process && range.end <= kept.back().end;
        if (!is_inside) {
            kept.push_back(range);
        }
    }
    ranges = std::move(kept);
}

StepRanges annotated_steps(const Recorded& recorded, const Figures& figures) {
    std::map<std::size_t, std::vector<StepRange>> by_pattern;
    for (const Annotation& annotation : recorded.annotations) {
        const std::uint32_t* const rank = figures.ranks().rank_of(annotation.process);
        const auto pattern =
            step_pattern_of(recorded.names.text(annotation.name), recorded.options);
        if (rank != nullptr && pattern) {
            by_pattern[*pattern].push_back(
                {.rank = *rank,
                 .process = annotation.process,
                 .start = annotation.start,
                 .end = annotation.end,
                 .name = annotation.name}
            );
        }
    }
    StepRanges found;
    if (!by_pattern.empty()) {
        auto& [pattern, ranges] = *by_pattern.begin();
        keep_outermost(ranges);
        found.rule = "annotation " + step_pattern_name(pattern, recorded.options);
        found.ranges = std::move(ranges);
    }
    return found;
}

/// For each process the graph launches of the thread that has most of them, in time order.
std::map<std::uint32_t, Launches> launches_by_process(const Recorded& all, const Figures& figures) {
    std::map<std::uint32_t, Launches> by_thread;
    for (const GraphLaunch& launch : figures.graph_launches()) {
        if (all.lanes[launch.lane].has_time) {
            by_thread[launch.lane].push_back(launch);
        }
    }
    std::map<std::uint32_t, Launches> by_process;
    for (auto& [lane, launches] : by_thread) {
        std::sort(launches.begin(), launches.end(), [](const GraphLaunch& a, const GraphLaunch& b) {
            return a.start < b.start;
        });
        Launches& most = by_process[all.lanes[lane].process];
        const bool is_more = launches.size() > most.size();
        const bool is_earlier =
            launches.size() == most.size() && launches.front().start < most.front().start;
        if (is_more || is_earlier) {
            most = std::move(launches);
        }
    }
    return by_process;
}

/// The launches of the signature that is the rarest of those that occur at least twice; of equally
/// rare ones the first to occur.
std::vector<std::size_t> rarest_places(const std::vector<std::uint64_t>& sequence) {
    std::unordered_map<std::uint64_t, std::size_t> counts;
    for (const std::uint64_t signature : sequence) {
        ++counts[signature];
    }
    std::size_t rarest = 0;
    const std::uint64_t* anchor = nullptr;
    for (const std::uint64_t& signature : sequence) {
        const std::size_t count = counts[signature];
        if (count >= 2 && (anchor == nullptr || count < rarest)) {
            rarest = count;
            anchor = &signature;
        }
    }
    std::vector<std::size_t> places;
    for (std::size_t place = 0; anchor != nullptr && place < sequence.size(); ++place) {
        if (sequence[place] == *anchor) {
            places.push_back(place);
        }
    }
    return places;
}

void cut(
    const Launches& launches,
    const std::vector<std::size_t>& places,
    const StepRange& owner,
    StepRanges& to
) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        StepRange range = owner;
        range.start = launches[places[i]].start;
        range.end = i + 1 < places.size() ? launches[places[i + 1]].start : kNever;
        to.ranges.push_back(range);
    }
}

StepRanges inferred_steps(const Recorded& all, const Figures& figures) {
    StepRanges found;
    for (const auto& [process, launches] : launches_by_process(all, figures)) {
        std::vector<std::uint64_t> sequence;
        for (const GraphLaunch& launch : launches) {
            sequence.push_back(launch.signature);
        }
        const StepRange owner{.rank = *figures.ranks().rank_of(process), .process = process};
        std::vector<std::size_t> places;
        const auto period = exact_period(sequence);
        for (std::size_t at = 0; period && at < sequence.size(); at += *period) {
            places.push_back(at);
        }
        if (!period) {
            places = rarest_places(sequence);
        }
        if (!places.empty() && found.rule == "none") {
            found.rule =
                period ? fmt::format(
                    "inferred: {} graph launch{} a step", *period, *period == 1 ? "" : "es"
                )
                       : std::string("inferred: cut before each launch of the rarest graph");
            found.graph_launches =
                period ? std::optional(static_cast<std::int64_t>(*period)) : std::nullopt;
        }
        cut(launches, places, owner, found);
    }
    return found;
}

} // namespace

std::optional<std::size_t> exact_period(const std::vector<std::uint64_t>& sequence) {
    // The longest proper border of each prefix: what is left of the whole is its smallest period.
    std::vector<std::size_t> border(sequence.size());
    for (std::size_t i = 1; i < sequence.size(); ++i) {
        std::size_t length = border[i - 1];
        while (length > 0 && sequence[i] != sequence[length]) {
            length = border[length - 1];
        }
        border[i] = length + (sequence[i] == sequence[length] ? 1 : 0);
    }
    if (sequence.empty()) {
        return std::nullopt;
    }
    const std::size_t period = sequence.size() - border.back();
    return 2 * period <= sequence.size() ? std::optional(period) : std::nullopt;
}

StepRanges find_steps(const Recorded& recorded, const Figures& figures) {
    switch (recorded.options.steps) {
    case StepRule::none: return {};
    case StepRule::annotation: return annotated_steps(recorded, figures);
    case StepRule::graph: return inferred_steps(recorded, figures);
    case StepRule::automatic: break;
    }
    StepRanges annotated = annotated_steps(recorded, figures);
    return annotated.ranges.empty() ? inferred_steps(recorded, figures) : annotated;
}

} // namespace kvprof::import
