#pragma once

#include "tests/reference/reference_ids.h"
#include "tests/workload/step_rig.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kvprof::test {

using reference::Ids;

/// A small step of a backend that reads MHA rows: 1 kind of state, 2 layers, 3 lanes of 20 tokens
/// in a bucket of 4.
[[nodiscard]] inline StepSpec gqa_step(const char* backend, std::int64_t page_size = 1) {
    StepSpec spec = small_step();
    spec.preset = "tiny-gqa";
    spec.attention_backend = backend;
    spec.page_size = page_size;
    return spec;
}

/// Elements of a stream buffer, whatever their width.
[[nodiscard]] inline Ids stream_ids(
    const StepRig& rig, workload::BufferId buffer, std::int64_t count, std::int64_t first = 0
) {
    if (count == 0) {
        return {};
    }
    if (rig.plan.stream_type() == kernels::IndexType::i64) {
        return rig.values<std::int64_t>(buffer, count, first);
    }
    const auto narrow = rig.values<std::int32_t>(buffer, count, first);
    return {narrow.begin(), narrow.end()};
}

/// Row `row` of an int32 table whose rows are `width` apart.
[[nodiscard]] inline Ids
table_row(const StepRig& rig, workload::BufferId table, std::int64_t width, std::int64_t row) {
    const auto narrow = rig.values<std::int32_t>(table, width, row * width);
    return {narrow.begin(), narrow.end()};
}

/// Row `row` of req_to_token.
[[nodiscard]] inline Ids request_row(const StepRig& rig, std::int64_t row) {
    return table_row(rig, workload::BufferId::req_to_token, rig.plan.req_columns, row);
}

/// What the readers of the step's live lanes have to find, from the tables as they are now.
[[nodiscard]] inline reference::ReadInputs read_inputs(const StepRig& rig) {
    reference::ReadInputs in;
    in.mult = rig.plan.full.mult;
    in.page_size = rig.plan.spec.page_size;
    for (std::int64_t row = 0; row <= rig.plan.spec.batch; ++row) {
        in.req_to_token.push_back(request_row(rig, row));
    }
    for (std::int64_t lane = 0; lane < rig.plan.spec.batch; ++lane) {
        in.rows.push_back(lane + 1);
        in.lens.push_back(
            rig.values<std::int64_t>(workload::BufferId::lens, 1, lane).front()
            + rig.plan.drafts[static_cast<std::size_t>(lane)]
        );
    }
    if (rig.plan.is_unified()) {
        in.v2p =
            rig.values<std::int64_t>(workload::BufferId::full_v2p, rig.plan.full.num_pages + 1);
    }
    return in;
}

/// Attention output of the live lanes of all full layers, after `steps` steps.
[[nodiscard]] inline std::vector<float> outputs_of(const StepSpec& spec, std::int64_t steps = 1) {
    const StepRig rig(spec);
    rig.run(steps);
    const auto& heads = rig.plan.full.heads;
    const std::int64_t lane = heads.query_heads * heads.dim_v;
    std::vector<float> live;
    for (std::int64_t layer = 0; layer < rig.plan.full.read_layers; ++layer) {
        const auto rows = rig.values<float>(
            workload::BufferId::output, spec.batch * lane, layer * rig.plan.bucket * lane
        );
        live.insert(live.end(), rows.begin(), rows.end());
    }
    return live;
}

} // namespace kvprof::test
