#pragma once

#include <cstdint>
#include <string>

namespace kvprof::import {

/// How steps are found: `automatic` tries annotations, then the period of graph launches.
enum class StepRule : std::uint8_t { automatic, annotation, graph, none };

/// How profiles are read.
struct ReadOptions {
    StepRule steps = StepRule::automatic;
    std::string step_pattern;    ///< of StepRule::annotation: what a name begins with
    std::int64_t skip_first = 0; ///< steps that are left out of per-step figures
    std::int64_t skip_last = 0;
    bool allow_partial = false;   ///< reads what can be read of a broken file
    std::int64_t keep_events = 0; ///< first steps whose records are kept for a timeline
};

} // namespace kvprof::import
