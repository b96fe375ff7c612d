#pragma once

#include "capture/host/host_step.h"
#include "capture/model/params.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"
#include "capture/workload/step_program.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <vector>

namespace kvprof {

/// Names a parameter of a test by the options that differ from the defaults.
inline void PrintTo(const StepSpec& spec, std::ostream* out) {
    const auto base = to_params(StepSpec{});
    const auto own = to_params(spec);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] != base[i]) {
            *out << own[i].name << '=' << own[i].value << ' ';
        }
    }
}

} // namespace kvprof

namespace kvprof::test {

/// A small unified MLA step: 2 attention layers, 3 lanes in a bucket of 4.
[[nodiscard]] inline StepSpec small_step() {
    StepSpec spec;
    spec.preset = "tiny-mla";
    spec.batch = 3;
    spec.max_batch = 8;
    spec.max_context = 256;
    spec.seq_len = 20;
    spec.v2p = IndexWidth::i64;
    return spec;
}

/// A small step that has what an op needs to run alone.
[[nodiscard]] inline StepSpec small_step_for(OpKind op, LaunchForm form) {
    StepSpec spec = small_step();
    spec.pool_tokens = 4096;
    spec.table = form;
    spec.indptr = form;
    spec.write = form;
    spec.alloc = form;
    if (op == OpKind::write_loc_dcp || op == OpKind::dcp_stream) {
        spec.dcp = 2;
        spec.dcp_rank = 1;
    }
    spec.preset = op == OpKind::swa_write_loc ? "tiny-swa" : spec.preset;
    spec.compact_pages = op == OpKind::compaction_move ? 2 : 0;
    return spec;
}

/// A step on the host executor and what it produced.
class StepRig {
  public:
    explicit StepRig(const StepSpec& spec, const MeasureSpec& how = {})
        : plan(workload::plan_step(spec, how)),
          state(workload::make_state(plan)),
          step(host::prepare_host_step(plan, state, host::KvPool::held)),
          counts(workload::count_steps(plan, state)) {}

    void run(std::int64_t steps = 1) const { static_cast<void>(step->replay(steps)); }

    /// `count` elements of a buffer from element `first`.
    template<typename T>
    [[nodiscard]] std::vector<T>
    values(workload::BufferId id, std::int64_t count, std::int64_t first = 0) const {
        const auto width = static_cast<std::int64_t>(sizeof(T));
        const auto bytes = step->read(id, {1, count * width, 0, first * width}, 0);
        std::vector<T> result(static_cast<std::size_t>(count));
        std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }

    /// Launches of an op in the steps of a cycle (one step without churn); -1 when it has none.
    [[nodiscard]] std::int64_t launches(OpKind op) const {
        std::int64_t sum = -1;
        for (const OpStat& stat : counts.ops) {
            if (stat.op == op) {
                sum = (sum < 0 ? 0 : sum) + stat.launches;
            }
        }
        return sum;
    }

    /// Launches of index work: write translate and metadata. State slots are no index of tokens.
    [[nodiscard]] std::int64_t index_launches() const {
        std::int64_t sum = 0;
        for (const OpStat& stat : counts.ops) {
            const bool is_stage = stat.stage == Stage::write || stat.stage == Stage::metadata;
            if (is_stage && stat.op != OpKind::state_slots) {
                sum += stat.launches;
            }
        }
        return sum;
    }

    workload::StepPlan plan;
    workload::InitialState state;
    std::unique_ptr<PreparedStep> step;
    workload::StepCounts counts;
};

} // namespace kvprof::test
