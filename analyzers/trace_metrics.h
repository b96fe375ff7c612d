#pragma once

#include "analyzers/series_list.h"
#include "capture/model/run.h"

namespace kvprof::analyzers {

/// Launch calls of the counts pass, a step.
void add_call_metrics(const Run& run, SeriesList& list);
/// Kernels, copies and blocks of the nodes pass, a step.
void add_kernel_metrics(const Run& run, SeriesList& list);
/// Times of the nodes pass, one value a batch. None when one op was measured alone: its replay is
/// no step.
void add_traced_times(const Run& run, SeriesList& list);
/// What the memory pass read of graphs.
void add_graph_memory(const Run& run, SeriesList& list);

} // namespace kvprof::analyzers
