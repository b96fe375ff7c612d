#pragma once

#include "analyzers/section.h"
#include "capture/model/run.h"

#include <string>
#include <string_view>

namespace kvprof::analyzers {

// Sections of `kvprof show RUN`. Each holds what it can tell of the run and may be empty. Times are
// of one step; those of the nodes pass are as traced and say so.

/// Steps of every pass by the clock, and what its tracer cost.
[[nodiscard]] Section passes_section(const Run& run);
/// The ledger of time, and the host's times beside it.
[[nodiscard]] Section ledger_section(const Run& run);
[[nodiscard]] Section ops_section(const Run& run);
[[nodiscard]] Section kernels_section(const Run& run);
/// Copies and fills by direction, and what makes the host wait.
[[nodiscard]] Section copies_section(const Run& run);
[[nodiscard]] Section calls_section(const Run& run);
/// What tracing passes attributed and missed, and the graph's nodes against the records.
[[nodiscard]] Section coverage_section(const Run& run);
/// The ledger of bytes, by buffer, beside the backend's formula.
[[nodiscard]] Section memory_section(const Run& run);
/// Memory at the marks of a graph's life, and the cost of an executable.
[[nodiscard]] Section graph_memory_section(const Run& run);
/// What bears on the use of the figures, with what follows from it.
[[nodiscard]] Section conditions_section(const Run& run);
/// Clocks, temperature and power before, during and after.
[[nodiscard]] Section device_section(const Run& run);

/// "index_kernel<int, 4>": without return type, parameters and namespaces; what can not be read
/// stays whole.
[[nodiscard]] std::string short_kernel_name(std::string_view name);

} // namespace kvprof::analyzers
