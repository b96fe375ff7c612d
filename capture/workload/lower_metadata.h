#pragma once

#include "capture/workload/lower.h"

/// Parts of the metadata ops of backends that read tables.
namespace kvprof::workload {

/// Row starts over `lens`: starts[0] stays as it is, behind it comes the inclusive scan. In the
/// form of --indptr: a scan and a copy, or one kernel.
void emit_scan(const Views& views, kernels::IndexArray lens, std::int32_t* starts, Emitter& out);

/// Whether metadata fills a table of sliding windows beside the full one: the plan says so and not
/// the buffers, since commands are counted without any.
[[nodiscard]] bool has_window_table(const StepPlan& plan);
/// Whether the one metadata op of a trtllm-like backend writes a static pool's window locations
/// too.
[[nodiscard]] bool has_metadata_window_locs(const StepPlan& plan);

/// What `call` does as the framework's operations: add (with its cast), scan, and for each table
/// that it fills gather, divide (above page size 1), copy. Unlike the one kernel, a table is copied
/// up to the longest lane, whatever a lane's own length.
void emit_eager_fa_metadata(const Views& views, const kernels::FaMetadataCall& call, Emitter& out);
void emit_eager_trtllm_metadata(
    const Views& views, const kernels::TrtllmMetadataCall& call, Emitter& out
);

} // namespace kvprof::workload
