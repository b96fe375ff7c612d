#pragma once

#include "kernels/calls.h"

/// Host twins of the tensor operations: one loop each, in element order.
namespace kvprof::kernels::host {

/// `out` may be an operand itself (same width, same strides).
void run(const MapCall& call);
/// An index outside `[-table_rows, table_rows)` is the caller's error.
void run(const GatherCall& call);
void run(const Gather2dCall& call);
/// Indices must be unique: the device writes them in no order.
void run(const ScatterCall& call);
void run(const Scatter2dCall& call);
/// `out` may be `in` itself.
void run(const CumsumCall& call);
/// `out` must not overlap the inputs.
void run(const ConcatCall& call);

} // namespace kvprof::kernels::host
