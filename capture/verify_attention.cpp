#include "capture/verify_attention.h"

#include "capture/model/error.h"
#include "capture/verify.h"
#include "capture/workload/expected_attention.h"
#include "capture/workload/lanes.h"
#include "capture/workload/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kvprof {

namespace {

using workload::BufferId;
using workload::Region;
using workload::StateKind;
using workload::StepPlan;
using workload::TokenPool;

/// Tokens hashed for the reference in one verification: seconds on one core.
constexpr std::int64_t kTokenBudget = 400'000;
constexpr std::int64_t kHeadsPerLane = 2;

std::vector<float> read_floats(const PreparedStep& step, std::int64_t first, std::int64_t count) {
    constexpr std::int64_t kWidth = sizeof(float);
    const auto bytes = step.read(BufferId::output, Region{1, count * kWidth, 0, first * kWidth}, 0);
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// A layer's rows in the output buffer.
struct LayerRows {
    StateKind kind;
    std::int64_t layer;
    std::int64_t first_float;
};

std::vector<LayerRows> layers_to_check(const StepPlan& plan) {
    const auto floats = [&](const TokenPool& pool) {
        return plan.bucket * pool.heads.query_heads * pool.heads.dim_v;
    };
    const std::int64_t last = plan.full.read_layers - 1;
    std::vector<LayerRows> rows{{StateKind::full, 0, 0}};
    if (last > 0) {
        rows.push_back({StateKind::full, last, last * floats(plan.full)});
    }
    if (plan.swa) {
        rows.push_back({StateKind::swa, 0, plan.full.read_layers * floats(plan.full)});
    }
    return rows;
}

/// First, last and middle lanes first: mistakes sit at edges.
std::vector<std::int64_t> lanes_in_order(std::int64_t batch) {
    std::vector<std::int64_t> lanes{0, batch - 1, batch / 2};
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        lanes.push_back(lane);
    }
    std::vector<std::int64_t> unique;
    for (const std::int64_t lane : lanes) {
        if (std::find(unique.begin(), unique.end(), lane) == unique.end()) {
            unique.push_back(lane);
        }
    }
    return unique;
}

/// First position that lane attends: the window's, or this context-parallel rank's own.
std::int64_t first_position(const StepPlan& plan, const TokenPool& pool, std::int64_t length) {
    if (plan.is_dcp()) {
        return plan.spec.dcp_rank;
    }
    return pool.window > 0 ? std::max<std::int64_t>(length - pool.window, 0) : 0;
}

/// What lane `lane` should have read in step number `step`.
workload::ExpectedAttention
request_for(const StepPlan& plan, const LayerRows& rows, std::int64_t lane, std::int64_t step) {
    const std::int64_t length = workload::length_in_phase(plan, lane, step % plan.phases)
                                + plan.drafts[static_cast<std::size_t>(lane)];
    const TokenPool& pool = plan.pool(rows.kind);
    const std::int64_t first_plane = rows.kind == StateKind::swa ? plan.full.layers : 0;
    const std::int64_t heads = std::min(kHeadsPerLane, pool.heads.query_heads);
    return {
        .len = length,
        .start = first_position(plan, pool, length),
        .step = plan.spec.dcp,
        .owner = workload::owner_in_step(plan, lane, step),
        .shared_tokens = plan.shared_tokens,
        .shared_owner = workload::kSharedOwner,
        .seed = static_cast<std::uint64_t>(plan.spec.seed),
        .heads = pool.heads,
        .is_v_in_k = pool.is_mla,
        .plane = 2 * (first_plane + rows.layer),
        .first_head = lane % (pool.heads.query_heads - heads + 1),
        .head_count = heads,
        .scale = static_cast<double>(workload::attention_scale(pool)),
    };
}

double relative_error(const std::vector<float>& got, const std::vector<double>& wanted) {
    double off = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double difference = static_cast<double>(got[i]) - wanted[i];
        off += difference * difference;
        norm += wanted[i] * wanted[i];
    }
    return std::sqrt(off / std::max(norm, 1e-300));
}

/// A lane of a layer whose output is compared.
struct CheckedLane {
    LayerRows rows;
    std::int64_t lane;
};

/// Heads of the lane, [head_count, dim_v], as the step left them.
std::vector<float> read_lane(
    const PreparedStep& step, const CheckedLane& checked, const workload::ExpectedAttention& request
) {
    const kernels::HeadShape& heads = request.heads;
    const std::int64_t row = checked.lane * heads.query_heads + request.first_head;
    return read_floats(
        step, checked.rows.first_float + row * heads.dim_v, request.head_count * heads.dim_v
    );
}

void take_error(const CheckedLane& checked, double error, Check& check) {
    check.attention_error = std::max(check.attention_error.value_or(0.0), error);
    if (!(error <= kAttentionTolerance)) {
        throw VerifyError(
            fmt::format(
                "could not verify attention: lane {} of {} layer {} is off by {:.3g} of the fp64 "
                "reference's norm, over {:.0e}",
                checked.lane,
                to_string(checked.rows.kind),
                checked.rows.layer,
                error,
                kAttentionTolerance
            ),
            "an index, a write location or the reader is wrong; no time of it is reported"
        );
    }
}

} // namespace

void verify_attention(
    const PreparedStep& step, const StepPlan& plan, std::int64_t steps, Check& check
) {
    if (plan.spec.holes > 0.0 || plan.spec.tombstones > 0.0) {
        return;
    }
    const std::int64_t last_step = workload::step_after(plan, steps);
    std::vector<CheckedLane> lanes;
    std::vector<workload::ExpectedAttention> requests;
    for (const LayerRows& rows : layers_to_check(plan)) {
        std::int64_t budget = kTokenBudget;
        for (const std::int64_t lane : lanes_in_order(plan.spec.batch)) {
            if (budget <= 0) {
                break;
            }
            lanes.push_back({rows, lane});
            requests.push_back(request_for(plan, rows, lane, last_step));
            budget -= (requests.back().len - requests.back().start) / plan.spec.dcp;
        }
    }
    const auto wanted = workload::expected_attentions(requests);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const auto got = read_lane(step, lanes[i], requests[i]);
        take_error(lanes[i], relative_error(got, wanted[i]), check);
        check.attention_rows += requests[i].head_count;
    }
}

} // namespace kvprof
