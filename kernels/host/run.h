#pragma once

#include "kernels/calls.h"
#include "kernels/host/allocator.h"
#include "kernels/host/attention.h"
#include "kernels/host/backend_metadata.h"
#include "kernels/host/compaction.h"
#include "kernels/host/dcp.h"
#include "kernels/host/fused_metadata.h"
#include "kernels/host/kv_rows.h"
#include "kernels/host/metadata.h"
#include "kernels/host/read_index.h"
#include "kernels/host/state.h"
#include "kernels/host/tensor_ops.h"
#include "kernels/host/write_loc.h"

namespace kvprof::kernels::host {

/// Runs any kernel on the host.
void run(const KernelCall& call);

} // namespace kvprof::kernels::host
