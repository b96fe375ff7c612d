#include "capture/workload/graph_model.h"

#include <cstdint>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kI32 = 4;
constexpr std::int64_t kI64 = 8;
constexpr std::int64_t kF32 = 4;

/// Collects terms under the symbols of the formulas.
struct Model {
    explicit Model(const StepPlan& plan)
        : lanes(plan.spec.max_batch),
          context(plan.spec.max_context == 0 ? plan.model.max_context : plan.spec.max_context),
          rectangle(kI32 * lanes * ((context + plan.spec.page_size - 1) / plan.spec.page_size)) {}

    void always(const char* name, std::int64_t bytes) { add(name, "always", bytes); }

    void added(const char* name, std::int64_t bytes) { add(name, "added", bytes); }

    std::int64_t lanes;     ///< B, and N: one token a lane
    std::int64_t context;   ///< C
    std::int64_t rectangle; ///< R = 4 B P
    std::vector<MemoryStat> terms;

  private:
    void add(const char* name, const char* group, std::int64_t bytes) {
        terms.push_back({name, MemorySource::model, group, Bytes{bytes}});
    }
};

/// Ids that the stream buffer holds: any lane's context, or what the pool can hold at once, one
/// token being written by each lane and drafts included.
std::int64_t stream_ids(const StepPlan& plan, const Model& model) {
    switch (plan.spec.stream_bound) {
    case StreamBound::context: return model.lanes * model.context;
    case StreamBound::pool: return plan.pool_tokens + model.lanes * (1 + plan.spec.delta);
    }
    return 0;
}

void add_flashinfer_mla(const StepPlan& plan, Model& model) {
    model.always("stream", kI32 * stream_ids(plan, model));
    model.always("indptr", kI32 * (model.lanes + 1));
    model.always("indptr_scan", kI32 * (model.lanes + 1));
    model.always("lens32", kI32 * model.lanes);
}

void add_triton(const StepPlan& plan, Model& model) {
    const std::int64_t rows = model.lanes * plan.full.heads.query_heads * plan.splits;
    model.always("stream", kI64 * stream_ids(plan, model));
    model.always("logits", kF32 * rows * plan.full.heads.dim_v);
    model.always("lse", kF32 * rows);
    model.always("kv_splits", kI32 * model.lanes);
    if (const std::int64_t window = plan.model.swa.window; window > 0) {
        model.always("window_stream", kI64 * model.lanes * window);
        model.always("window_kv_splits", kI32 * model.lanes);
        model.always("window_lens", kI32 * model.lanes);
        model.always("swa_write_loc", kI64 * model.lanes);
    }
    if (plan.is_unified()) {
        model.added("write_loc", kI64 * model.lanes);
    }
}

/// The page table: over virtual pages beside the stream (a unified pool before streams), or, on a
/// static pool, read in place as its own.
void add_rectangles(const StepPlan& plan, Model& model) {
    if (plan.spec.index_mode == IndexMode::stream) {
        return;
    }
    if (!plan.is_unified()) {
        model.always("block_table", model.rectangle);
        return;
    }
    model.added("table", model.rectangle);
    if (plan.model.swa.window > 0) {
        model.added("window_table", model.rectangle);
    }
}

} // namespace

std::vector<MemoryStat> graph_model(const StepPlan& plan) {
    if (plan.micro_op) {
        return {};
    }
    Model model(plan);
    switch (plan.spec.attention_backend) {
    case AttentionBackend::flashinfer_mla: add_flashinfer_mla(plan, model); break;
    case AttentionBackend::triton: add_triton(plan, model); break;
    }
    add_rectangles(plan, model);
    return model.terms;
}

} // namespace kvprof::workload
