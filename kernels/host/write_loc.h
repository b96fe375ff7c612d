#pragma once

#include "kernels/calls.h"

/// Host twin of the write-location translate.
namespace kvprof::kernels::host {

/// Never writes past `out_count`. `out` may be `loc` itself.
void run(const WriteLocCall& call);

} // namespace kvprof::kernels::host
