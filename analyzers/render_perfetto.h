#pragma once

#include "capture/model/run.h"

#include <string>

namespace kvprof::analyzers {

/// The kept events of a run as a timeline, for ui.perfetto.dev and chrome://tracing: trace_json()
/// of one process. @throws BadDataError when one names a kernel that the run does not have.
[[nodiscard]] std::string perfetto_json(const Run& run);

/// Why a run has no events, and what gives some.
struct MissingTimeline {
    std::string cause; ///< "its nodes pass was not run (--passes timing)"
    std::string hint;  ///< may be empty

    friend bool operator==(const MissingTimeline&, const MissingTimeline&) = default;
};

[[nodiscard]] MissingTimeline missing_timeline(const Run& run);

} // namespace kvprof::analyzers
