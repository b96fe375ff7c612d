#pragma once

#include "kernels/calls.h"

/// Host twin of the one launch for all index work of a step.
namespace kvprof::kernels::host {

void run(const FusedMetadataCall& call);

} // namespace kvprof::kernels::host
