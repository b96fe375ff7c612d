#pragma once

#include "capture/model/run.h"

#include <string>

namespace kvprof::analyzers {

/// Why a run has no events, and what gives some.
struct MissingTimeline {
    std::string cause; ///< "its nodes pass was not run (--passes timing)"
    std::string hint;  ///< may be empty

    friend bool operator==(const MissingTimeline&, const MissingTimeline&) = default;
};

[[nodiscard]] MissingTimeline missing_timeline(const Run& run);

} // namespace kvprof::analyzers
