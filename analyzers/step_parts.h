#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// What a part of a step's time is; docs/metrics.md, "Ledger of time".
enum class TimePart : std::uint8_t {
    op,         ///< records of one op, durations added up
    overlap,    ///< less the time that records ran side by side: below zero
    gap,        ///< inside a step, no record runs
    tail,       ///< between the last record of a step and the next step's first
    unexplained ///< by the device's events, and in no record
};

/// One part of the time that the records of steps explain.
struct StepPart {
    TimePart part{};
    std::optional<OpKind> op;           ///< of TimePart::op
    std::optional<Placement> placement; ///< of TimePart::op
    /// Of each step, in the order of Run::step_records. Nothing where nobody knows: the tail in a
    /// batch that has none.
    std::vector<std::optional<double>> ns;
};

/// The ops in order of appearance, then overlap and gaps, then tails if any step has one. A batch's
/// last step has no next one to wait for: what passes until the clock stops is taken to be as long
/// as the batch's other tails are on average.
[[nodiscard]] std::vector<StepPart> step_parts(const Run& run);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::TimePart> {
    using enum kvprof::analyzers::TimePart;
    static constexpr std::array values{
        std::pair{op, "op"},
        std::pair{overlap, "overlap"},
        std::pair{gap, "gap"},
        std::pair{tail, "tail"},
        std::pair{unexplained, "unexplained"}};
};
