#pragma once

#include "kernels/calls.h"

/// Host twins of the metadata kernels of backends that read page tables.
namespace kvprof::kernels::host {

/// Writes nothing for an empty batch, not even cu_seqlens_k[0].
void run(const FaMetadataCall& call);
/// An empty batch still clears the window locations.
void run(const TrtllmMetadataCall& call);

} // namespace kvprof::kernels::host
