#pragma once

#include "kernels/calls.h"

/// Host twins of decode context parallelism's reads: a rank's lengths, its ids, their translation.
namespace kvprof::kernels::host {

void run(const LocalLensCall& call);
/// The ids that come out are local and virtual.
void run(const DcpGatherCall& call);
void run(const StreamTranslateCall& call);

} // namespace kvprof::kernels::host
