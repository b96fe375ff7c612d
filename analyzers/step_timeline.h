#pragma once

#include "capture/model/run.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// A kernel, copy or fill on a lane, or several that stand so close that they are drawn as one.
struct StepBar {
    std::chrono::nanoseconds start{0}; ///< since the step's first record
    std::chrono::nanoseconds duration{0};
    std::size_t name = 0; ///< place in StepTimeline::names; of several the one with the most time
    std::int64_t records = 1;
    bool has_others = false; ///< of several: not all have that name

    friend bool operator==(const StepBar&, const StepBar&) = default;
};

/// What ran on one stream.
struct StepLane {
    std::string name;          ///< "stream 7", "rank TP00, stream 7"
    std::vector<StepBar> bars; ///< by start, the longer first; they may overlap
};

/// One kept step of a run, for a timeline. Times are traced times.
struct StepTimeline {
    std::string side;       ///< "base: main"; empty where one run is shown alone
    std::string run;        ///< uuid
    std::int64_t step = 0;  ///< its number in the run, from 0
    std::string step_name;  ///< of its annotation; empty where it has none
    std::int64_t place = 0; ///< among the kept steps, from 0
    std::int64_t kept = 0;  ///< steps
    bool is_chosen = false; ///< by its place; else it is the one of median length

    std::chrono::nanoseconds wall{0};        ///< first record to last; of the longest rank
    std::chrono::nanoseconds kernel_time{0}; ///< durations of kernels, added up
    /// Time between a GPU's first and last record in which none ran, added up over GPUs; absent for
    /// a recording that has whole replays without their kernels.
    std::optional<std::chrono::nanoseconds> gaps;
    std::int64_t kernels = 0;    ///< without copies and fills
    bool has_own_clocks = false; ///< its ranks are of several files, which share no clock

    std::vector<std::string> names; ///< of kernels, copies and fills, each once
    std::vector<StepLane> lanes;    ///< by rank, device and stream
};

/// The kept step at `place`, or the one of median length: of two the shorter.
/// @pre the run has events
/// @throws UsageError for a place that is not there, naming those that are
/// @throws BadDataError when an event names a kernel that the run does not have
[[nodiscard]] StepTimeline
step_timeline(const Run& run, const std::string& side, std::optional<std::int64_t> place);

/// The bars with those shorter than `limit` put together where less than `limit` parts them, none
/// over twice as long as it. No bar is dropped: records add up to what they were.
[[nodiscard]] std::vector<StepBar>
merged(const std::vector<StepBar>& bars, std::chrono::nanoseconds limit);

/// The names of all timelines by falling time over all of them, equal ones by name: the order in
/// which kernels get colours, so that a name has one colour on both sides.
[[nodiscard]] std::vector<std::string> names_by_time(const std::vector<StepTimeline>& timelines);

} // namespace kvprof::analyzers
