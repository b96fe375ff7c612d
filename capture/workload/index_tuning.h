#pragma once

#include "capture/workload/step_plan.h"
#include "kernels/launch_geometry.h"

/// The launch choices of the page table and of the token stream, as --index-split and its
/// neighbours give them.
namespace kvprof::workload {

/// A kernel's shipped choice, with what the options name in its place.
[[nodiscard]] kernels::Tuning tuned(const StepSpec& spec, kernels::Tuning shipped);

/// Whether an option names a geometry of its own. Launch edges are not among them: other kernels
/// have them too.
[[nodiscard]] bool is_tuned(const StepSpec& spec);

/// @throws UsageError for options that no launch of the plan takes, and for a choice that is not
/// compiled, with the list of what is. @pre plan.ops are known
void check_tuning(const StepPlan& plan);

} // namespace kvprof::workload
