#pragma once

#include "capture/import/figures.h"
#include "capture/import/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::import {

/// A step: what its process launches from its start until before its end.
struct StepRange {
    std::uint32_t rank = 0;
    std::uint32_t process = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;   ///< may lie after all work, for the last of inferred steps
    std::uint32_t name = 0; ///< of an annotation; 0 where it was inferred
};

struct StepRanges {
    std::string rule = "none"; ///< how steps were found
    std::vector<StepRange> ranges;
    std::optional<std::int64_t> graph_launches; ///< a step, where they were inferred by a period
};

/// The steps of a file, in no order: by annotations of one pattern, or else by the period of its
/// graph launches, or, where it has none, of its kernels.
[[nodiscard]] StepRanges find_steps(const Recorded& recorded, Figures& figures);

/// The smallest period with which a sequence repeats exactly, at least twice in full; absent where
/// it has none. An almost-match is none: most pieces of a piecewise graph look alike.
[[nodiscard]] std::optional<std::size_t> exact_period(const std::vector<std::uint64_t>& sequence);

} // namespace kvprof::import
