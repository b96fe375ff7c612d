#pragma once

#include "kernels/calls.h"

/// Host twins of split-KV attention, in plain fp32 with the same splits and partials as the device.
/// Head dimensions go up to kMaxHeadDim, and query_heads is a multiple of kv_heads.
namespace kvprof::kernels::host {

void run(const AttentionCall& call);
/// A lane without tokens gives zeros.
void run(const AttentionCombineCall& call);

} // namespace kvprof::kernels::host
