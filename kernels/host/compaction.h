#pragma once

#include "kernels/calls.h"

/// Host twins of the launches that move whole page envelopes.
namespace kvprof::kernels::host {

void run(const CompactMoveCall& call);
/// A negative page is skipped: its part of the staging buffer, or of the pool, stays as it was.
void run(const EnvelopeCopyCall& call);

} // namespace kvprof::kernels::host
