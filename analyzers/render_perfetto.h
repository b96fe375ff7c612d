#pragma once

#include "capture/model/run.h"

#include <string>

namespace kvprof::analyzers {

/// The kept events of a run as a timeline in Chrome's trace event format, for ui.perfetto.dev and
/// chrome://tracing: a process for the device, a track for the steps, one a stream. A bar is named
/// after its op, so that a viewer colours by op. Records of one stream that overlap get tracks of
/// their own: viewers take bars of one track for nested calls. Each event stands on a line.
/// `run` holds its events. @throws BadDataError when one names a kernel that the run does not have.
[[nodiscard]] std::string perfetto_json(const Run& run);

/// Why a run has no events, and what gives some.
struct MissingTimeline {
    std::string cause; ///< "its nodes pass was not run (--passes timing)"
    std::string hint;  ///< may be empty

    friend bool operator==(const MissingTimeline&, const MissingTimeline&) = default;
};

[[nodiscard]] MissingTimeline missing_timeline(const Run& run);

} // namespace kvprof::analyzers
