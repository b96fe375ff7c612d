#pragma once

#include "analyzers/section.h"
#include "capture/model/run.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace kvprof::analyzers {

// What a run has many of, as a table of its own. A section without a table says in its lines why
// the run has none, and what gives some.

/// Of a list: so many rows, names shortened where a line is full; or all of it, with whole names.
struct Extent {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    Fit names = Fit::whole;
};

/// The steps of every rank of an imported run; of one of kvprof's own those that its nodes pass
/// traced, which have neither starts nor calls of their own.
[[nodiscard]] Section steps_list(const Run& run, const Extent& extent = {});

/// Kernels, copies and fills in order of falling time.
[[nodiscard]] std::vector<const KernelStat*> kernels_by_time(const Run& run);

/// Kernels, copies and fills by full name, in order of falling time.
[[nodiscard]] Section kernels_list(const Run& run, const Extent& extent = {});

/// What `kvprof show` can show alone.
enum class RunList : std::uint8_t { steps, kernels };

[[nodiscard]] Section list_of(const Run& run, RunList list);

/// kvprof.steps/1 or kvprof.kernels/1: what list_of() has of each run, times in nanoseconds.
[[nodiscard]] std::string lists_json(const std::vector<Run>& runs, RunList list);

} // namespace kvprof::analyzers
