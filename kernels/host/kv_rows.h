#pragma once

#include "kernels/calls.h"

/// Host twins of the kernels that write K and V rows.
namespace kvprof::kernels::host {

/// Lanes are written in order. On the device they are not: what the sink row holds after several
/// lanes wrote it is unspecified there.
void run(const KvWriteCall& call);
/// Two lanes may name the same row only when they write the same content (a shared prefix).
void run(const KvFillCall& call);

} // namespace kvprof::kernels::host
