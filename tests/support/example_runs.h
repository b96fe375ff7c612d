#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::test {

/// A run in which every field differs from its default: side b of filled_experiment().
[[nodiscard]] Run filled_run();

/// An A/B experiment with a label, a command line and two filled runs of different uuids, which are
/// places 2 (b) and 3 (a) of block 1.
[[nodiscard]] Experiment filled_experiment();

/// A complete CUDA run, batch 64, whose step takes each of `step_us` once (one sample each, of 10
/// replays): rectangle has 2 launches and 2 GiB of index buffer, stream 1 launch and 1 GiB.
[[nodiscard]] Run step_run(IndexMode index_mode, const std::vector<std::int64_t>& step_us);

/// A complete CUDA run that every pass observed, batch 64 of 8,224 tokens: indptr is issued before
/// the replay (a kernel and a copy), page-table is the graph's one node. The nodes pass traced two
/// steps in one batch and kept both, the graph pass failed and says why, and there are no graph
/// spans.
[[nodiscard]] Run traced_run();

/// The digit 32 times, a readable uuid.
[[nodiscard]] std::string uuid_of(char digit);

} // namespace kvprof::test
