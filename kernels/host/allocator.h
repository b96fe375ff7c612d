#pragma once

#include "kernels/calls.h"

/// Host twins of the page allocator's device operations.
namespace kvprof::kernels::host {

void run(const AllocBindCall& call);
void run(const BindCall& call);
void run(const FreeUnbindCall& call);
void run(const AllocDecodeCall& call);
void run(const ZeroPagesCall& call);

} // namespace kvprof::kernels::host
