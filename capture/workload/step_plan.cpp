#include "capture/workload/step_plan.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/backend_rules.h"
#include "capture/workload/capture_buffers.h"
#include "capture/workload/index_tuning.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/plan_checks.h"
#include "capture/workload/plan_ops.h"
#include "capture/workload/plan_pools.h"
#include "capture/workload/preset.h"
#include "kernels/backend_rules.h"
#include "kernels/id_math.h"
#include "kernels/launch_geometry_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kvprof::workload {

const TokenPool& StepPlan::pool(StateKind kind) const {
    return kind == StateKind::swa ? swa.value() : full;
}

bool StepPlan::reads_block_table() const {
    const bool is_in_place = !is_unified() && spec.index_mode == IndexMode::rectangle;
    return !micro_op && (backend.reads == ReadForm::table || is_in_place);
}

bool StepPlan::has_rectangle() const {
    return is_unified()
           && (spec.index_mode == IndexMode::rectangle || spec.index_mode == IndexMode::both);
}

bool StepPlan::reads_rectangle() const {
    const bool copies = backend.launches(MetadataOp::fa_metadata, spec.metadata);
    return has_rectangle() && backend.reads == ReadForm::table && !copies;
}

bool StepPlan::fuses_metadata() const {
    return !micro_op && workload::fuses_metadata(spec, backend);
}

bool StepPlan::has_len_cast() const {
    using enum MetadataOp;
    const bool is_narrowed = backend.launches(len_cast, spec.metadata)
                             || backend.launches(fa_metadata, spec.metadata)
                             || backend.launches(trtllm_metadata, spec.metadata);
    // Drafts widen lengths, and so does what a verify step does first.
    return is_narrowed || is_dcp() || (spec.delta > 0 && !verifies());
}

std::int64_t StepPlan::stream_capacity() const {
    const CaptureBuffer* buffer = find_capture_buffer(*this, "stream");
    return buffer == nullptr ? bounded_ids(*this, spec.max_batch)
                             : bytes_of(*this, buffer->bytes) / kernels::index_bytes(stream_type());
}

std::int64_t StepPlan::window_capacity() const {
    const CaptureBuffer* buffer = find_capture_buffer(*this, "window_stream");
    return buffer == nullptr ? spec.max_batch * model.swa.window
                             : bytes_of(*this, buffer->bytes) / kernels::index_bytes(stream_type());
}

PoolFacts StepPlan::pool_facts() const {
    return {.schedulable_tokens = pool_tokens, .state_slots = state ? state->slots : 0};
}

std::int64_t graph_bucket(std::int64_t batch, std::int64_t max_batch) {
    const auto up_to = [&](std::int64_t step) { return (batch + step - 1) / step * step; };
    std::int64_t bucket = batch; // 1 and 2
    if (batch > 256) {
        bucket = up_to(16);
    } else if (batch > 16) {
        bucket = up_to(8);
    } else if (batch > 2) {
        bucket = up_to(4);
    }
    return std::min(bucket, std::max(max_batch, batch));
}

std::int64_t most_stream_tokens(const StepPlan& plan) {
    std::int64_t most = 0;
    for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
        const bool is_padded = lane >= plan.spec.batch;
        const std::int64_t length =
            is_padded ? 1 : plan.base_lens[static_cast<std::size_t>(lane)] + plan.phases - 1;
        most +=
            kernels::local_length(length + draft_of(plan, lane), plan.spec.dcp, plan.spec.dcp_rank);
    }
    return most;
}

namespace {

std::int64_t own_table_width(const StepPlan& plan) {
    const std::int64_t ps = plan.spec.page_size;
    const std::int64_t block = std::max<std::int64_t>(4096 / ps, 1); // pages that one block fills
    switch (plan.backend.table_width) {
    case TableWidth::pages: return plan.table_width;
    case TableWidth::padded: return (plan.table_width + block - 1) / block * block;
    case TableWidth::plus_one: return (plan.context + ps) / ps;
    }
    return plan.table_width;
}

void size_tables(StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    plan.context = spec.max_context == 0 ? plan.model.max_context : spec.max_context;
    plan.scheduler_page = spec.page_size * spec.dcp;
    plan.table_width = kernels::pages_of(plan.context, spec.page_size);
    plan.own_width = own_table_width(plan);
    plan.req_columns = kernels::pages_of(plan.context, plan.scheduler_page) * plan.scheduler_page;
    plan.step_tokens = spec.max_batch * (plan.verifies() ? spec.delta : 1);
}

void size_lanes(StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    plan.bucket = plan.micro_op ? spec.batch : graph_bucket(spec.batch, spec.max_batch);
    plan.phases = spec.churn > 0.0 ? std::max<std::int64_t>(std::llround(1.0 / spec.churn), 1) : 1;
    plan.base_lens = lane_lengths(spec);
    plan.drafts = lane_drafts(spec);
    std::int64_t shortest = plan.base_lens.front() + plan.drafts.front();
    for (std::size_t lane = 0; lane < plan.base_lens.size(); ++lane) {
        const std::int64_t length = plan.base_lens[lane] + plan.drafts[lane];
        plan.max_len = std::max(plan.max_len, length + plan.phases - 1);
        shortest = std::min(shortest, length);
    }
    const std::int64_t prefix = *std::ranges::min_element(plan.base_lens);
    // The newest token is each lane's own: the step writes it.
    const auto shared = std::min(
        static_cast<std::int64_t>(spec.prefix_share * static_cast<double>(prefix)), shortest - 1
    );
    plan.shared_tokens = shared / plan.scheduler_page * plan.scheduler_page;
}

/// Of all layers: those of the kind that a step reads most of.
std::int64_t splits_of(const StepPlan& plan) {
    const bool has_full = plan.full.read_layers > 0 || !plan.swa;
    const TokenPool& pool = has_full ? plan.full : *plan.swa;
    return plan.backend.has_splits
               ? kMostSplits
               : kernels::attention_splits(plan.bucket, pool.heads, pool.is_mla);
}

std::optional<OpKind> micro_op_of(const MeasureSpec& how) {
    if (how.op.empty()) {
        return std::nullopt;
    }
    OpKind op{};
    parse_field("op", how.op, op);
    if (!can_run_alone(op)) {
        throw UsageError(
            fmt::format("could not plan the step: --op {} does not run alone", how.op),
            fmt::format("ops that do: {}", ops_that_run_alone())
        );
    }
    return op;
}

} // namespace

StepPlan plan_step(const StepSpec& spec, const MeasureSpec& how) {
    StepPlan plan;
    plan.micro_op = micro_op_of(how);
    check_values(spec, how);
    plan.backend = load_backend(spec.attention_backend);
    plan.spec = resolved(spec, plan.backend);
    plan.model = load_preset(spec.preset);
    check_model(plan.spec, plan.model, plan.micro_op.has_value());
    if (plan.micro_op) {
        check_micro_op(plan.spec, *plan.micro_op);
        check_micro_model(plan.model, *plan.micro_op);
    } else {
        check_backend(plan.spec, plan.model, plan.backend);
    }
    plan.op_launches = plan.micro_op ? how.op_launches : 1;
    size_tables(plan);
    size_lanes(plan);
    add_token_pools(plan);
    plan.splits = splits_of(plan);
    if (plan.max_len <= plan.context) {
        size_pools(plan);
    }
    check_sizes(plan);
    plan.ops = plan_ops(plan);
    check_tuning(plan);
    plan.buffers = plan_buffers(plan);
    return plan;
}

std::vector<MemoryStat> ledger_of(const StepPlan& plan) {
    std::vector<MemoryStat> ledger;
    for (const BufferSpec& buffer : plan.buffers) {
        ledger.push_back({
            .name = buffer.name,
            .source = MemorySource::ledger,
            .group = std::string(to_string(buffer.group)),
            .bytes = Bytes{buffer.bytes()},
        });
    }
    return ledger;
}

} // namespace kvprof::workload
