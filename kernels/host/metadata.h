#pragma once

#include "kernels/calls.h"

/// Host twins of the per-step metadata: lengths to row starts and split counts, and the new token.
namespace kvprof::kernels::host {

/// Writes nothing for an empty batch, not even out[0].
void run(const IndptrCall& call);
/// A lane whose length is 0, or past the row, writes nothing.
void run(const AppendCall& call);
void run(const KvSplitsCall& call);
/// Spins on the host's steady clock.
void run(const DelayCall& call);

} // namespace kvprof::kernels::host
