#pragma once

#include "analyzers/json_values.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// A run's kept events as one process of a trace.
struct TraceProcess {
    std::string name;
    const Run* run = nullptr; ///< with its events
};

/// Chrome's trace event format: a process a run, each with its first record at time 0, and in it,
/// for each rank, a track for the steps, one for the graph's launches, one a stream. A bar is named
/// after its op, so that a viewer colours by op. Bars of one kind that overlap get tracks of their
/// own: viewers take bars of one track for nested calls. Each event stands on a line.
/// @param about "otherData" of the trace
/// @throws BadDataError when an event names a kernel that its run does not have.
[[nodiscard]] std::string trace_json(const std::vector<TraceProcess>& processes, const Json& about);

/// What a trace says of the run that it shows.
[[nodiscard]] Json timeline_object(const Run& run);

} // namespace kvprof::analyzers
