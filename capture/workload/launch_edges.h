#pragma once

#include "capture/model/step_choices.h"
#include "capture/workload/command.h"

namespace kvprof::workload {

/// Lets every kernel that can start early (programmatic dependent launch) do so, or none of them.
/// `automatic` leaves each as it is shipped.
void apply_launch_edges(LaunchEdges edges, Commands& commands);

} // namespace kvprof::workload
