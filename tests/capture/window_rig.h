#pragma once

#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace kvprof::test {

inline constexpr std::int64_t kWindow = 64;

/// tiny-swa with other counts of layers, so that envelopes and id spaces of the pools differ.
[[nodiscard]] inline std::string uneven_preset() {
    static const std::string path = [] {
        std::string file = testing::TempDir() + "kvprof-windows-" + std::to_string(getpid());
        file += ".toml";
        std::ofstream(file) << R"(name = "uneven-swa"
provenance = "synthetic"
layers = 5
query_heads = 4
max_context = 8192
[full]
layers = 2
kv_heads = 2
head_dim = 32
element = "bf16"
[swa]
layers = 3
kv_heads = 1
head_dim = 32
window = 64
element = "bf16"
)";
        return file;
    }();
    return path;
}

[[nodiscard]] inline StepSpec windows(PoolKind pool, std::int64_t page_size = 1) {
    StepSpec spec;
    spec.preset = uneven_preset();
    spec.attention_backend = "triton";
    spec.pool = pool;
    spec.page_size = page_size;
    spec.batch = 3;
    spec.max_batch = 8;
    spec.max_context = 256;
    spec.seq_len = 150;
    spec.length_law = LengthLaw::ragged;
    spec.v2p = IndexWidth::i64;
    return spec;
}

[[nodiscard]] inline std::vector<std::int64_t> window_ids(const StepRig& rig) {
    const auto ends =
        rig.values<std::int32_t>(workload::BufferId::window_indptr, rig.plan.bucket + 1);
    return rig.values<std::int64_t>(workload::BufferId::window_stream, ends.back());
}

} // namespace kvprof::test
