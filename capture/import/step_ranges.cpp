#include "capture/import/step_ranges.h"

#include "capture/import/step_launches.h"
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
    const StepLaunches& launches,
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

std::vector<std::uint64_t> signatures_of(const StepLaunches& launches) {
    std::vector<std::uint64_t> sequence;
    sequence.reserve(launches.size());
    for (const StepLaunch& launch : launches) {
        sequence.push_back(launch.signature);
    }
    return sequence;
}

/// Every `period`-th place from the first on.
std::vector<std::size_t> places_of(std::size_t period, std::size_t size) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < size; at += period) {
        places.push_back(at);
    }
    return places;
}

void say(StepRanges& found, std::string rule) {
    found.rule = found.rule == "none" ? std::move(rule) : found.rule;
}

StepRange owner_of(std::uint32_t process, const Figures& figures) {
    return {.rank = *figures.ranks().rank_of(process), .process = process};
}

StepRanges steps_of_graphs(const Recorded& all, const Figures& figures) {
    StepRanges found;
    std::vector<StepLaunch> all_launches = graph_launches_of(figures);
    for (const auto& [process, launches] : of_busiest_threads(all, all_launches)) {
        const std::vector<std::uint64_t> sequence = signatures_of(launches);
        const auto period = exact_period(sequence);
        const std::vector<std::size_t> places =
            period ? places_of(*period, sequence.size()) : rarest_places(sequence);
        if (places.empty()) {
            continue;
        }
        if (found.rule == "none" && period) {
            found.graph_launches = static_cast<std::int64_t>(*period);
        }
        say(found,
            period ? fmt::format(
                "inferred: {} graph launch{} a step", *period, *period == 1 ? "" : "es"
            )
                   : "inferred: cut before each launch of the rarest graph");
        cut(launches, places, owner_of(process, figures), found);
    }
    return found;
}

/// How many pieces between cuts make the exact period; absent where they have none.
std::optional<std::size_t>
period_of_pieces(const std::vector<std::uint64_t>& sequence, const std::vector<StepCut>& cuts) {
    std::vector<std::uint64_t> pieces;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        std::uint64_t hash = 0;
        for (std::size_t at = cuts[i].place; at < cuts[i + 1].place; ++at) {
            hash = mixed(hash ^ sequence[at]);
        }
        pieces.push_back(hash);
    }
    return exact_period(pieces);
}

/// Whole steps between waits for copies to the host, from the first such wait on: what stands
/// before it, a prefill, and behind the last one, a part of a step, is in none. A step lasts until
/// the next begins, and where none does, until its wait ends.
void cut_at_waits(
    const Recorded& all, Figures& figures, const StepLaunches& launches, StepRanges& to
) {
    const std::vector<StepCut> cuts = places_after_waits(all, figures, launches);
    const auto period = period_of_pieces(signatures_of(launches), cuts);
    if (!period) {
        return;
    }
    say(to,
        fmt::format(
            "inferred: {} wait{} for copies to the host a step", *period, *period == 1 ? "" : "s"
        ));
    const StepRange owner = owner_of(all.lanes[launches.front().lane].process, figures);
    for (std::size_t i = 0; i + *period < cuts.size(); i += *period) {
        const StepLaunch& first = launches[cuts[i].place];
        const StepCut& end = cuts[i + *period];
        const bool goes_on =
            end.place < launches.size() && launches[end.place].signature == first.signature;
        StepRange range = owner;
        range.start = first.start;
        range.end = goes_on ? launches[end.place].start : end.wait_end;
        to.ranges.push_back(range);
    }
}

/// Where no graph was launched: the period of what ran. One kernel over and over is no step.
StepRanges steps_of_kernels(const Recorded& all, Figures& figures) {
    StepRanges found;
    std::vector<StepLaunch> all_launches = kernel_launches_of(all, figures);
    for (const auto& [process, launches] : of_busiest_threads(all, all_launches)) {
        const auto period = exact_period(signatures_of(launches));
        if (!period) {
            cut_at_waits(all, figures, launches, found);
        } else if (*period > 1) {
            say(found, fmt::format("inferred: {} kernels a step", *period));
            const StepRange owner = owner_of(process, figures);
            cut(launches, places_of(*period, launches.size()), owner, found);
        }
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

StepRanges find_steps(const Recorded& recorded, Figures& figures) {
    switch (recorded.options.steps) {
    case StepRule::none: return {};
    case StepRule::annotation: return annotated_steps(recorded, figures);
    case StepRule::graph: return steps_of_graphs(recorded, figures);
    case StepRule::automatic: break;
    }
    StepRanges annotated = annotated_steps(recorded, figures);
    if (!annotated.ranges.empty()) {
        return annotated;
    }
    return figures.graph_launches().empty() ? steps_of_kernels(recorded, figures)
                                            : steps_of_graphs(recorded, figures);
}

} // namespace kvprof::import
