#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/field.h"
#include "capture/model/op_kind.h"
#include "capture/model/step_choices.h"

#include <cstdint>
#include <string>

namespace kvprof {

/// Everything that decides what one decode step computes. One field is one command-line option,
/// one stored row and one line of a diff: `visit_fields` is the only list of them.
struct StepSpec {
    std::string preset = "kimi-linear-48b";
    std::int64_t tp = 1;
    std::int64_t layers = 0;
    std::int64_t query_heads = 0;

    PoolKind pool = PoolKind::unified;
    std::int64_t page_size = 1;
    std::int64_t pool_tokens = 0;
    IndexWidth v2p = IndexWidth::i32;
    IdSpace id_space = IdSpace::blocks;

    std::int64_t batch = 64;
    std::int64_t max_batch = 256;
    std::int64_t max_context = 0;
    LengthLaw length_law = LengthLaw::constant;
    std::int64_t seq_len = 8224;
    std::int64_t long_len = 0; ///< of LengthLaw::one_long
    std::int64_t seed = 42;
    double holes = 0.0;
    double tombstones = 0.0;
    double prefix_share = 0.0;
    Fragmentation fragmentation = Fragmentation::random;
    double churn = 0.0;

    std::string attention_backend = "flashinfer_mla";
    HistoryStage stage = HistoryStage::after_fused_write;
    IndexMode index_mode = IndexMode::automatic;
    Grid grid = Grid::automatic;
    LaunchForm table = LaunchForm::automatic;
    TableTail table_tail = TableTail::keep;
    LaunchForm indptr = LaunchForm::automatic;
    MetadataForm metadata = MetadataForm::automatic;
    LaunchForm write = LaunchForm::automatic;
    LaunchForm alloc = LaunchForm::automatic;
    Placement placement = Placement::out;
    StreamBound stream_bound = StreamBound::context;
    std::int64_t consumers = 1;
    Share share = Share::none;
    std::int64_t delta = 0;
    VerifyMode verify = VerifyMode::off;
    std::int64_t dcp = 1;
    std::int64_t dcp_rank = 0;
    std::int64_t compact_pages = 0;
    std::string delay_op;
    double delay_us = 0.0;

    // The launches of the page table and the token stream; 0 and automatic: what each ships with.
    IndexSplit index_split = IndexSplit::automatic;
    std::int64_t index_threads = 0;
    std::int64_t index_items = 0;
    std::int64_t index_blocks = 0;
    LaunchEdges launch_edges = LaunchEdges::automatic;

    friend bool operator==(const StepSpec&, const StepSpec&) = default;
};

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_model_fields(Spec& spec, Visit& visit) {
    const auto model = [](const char* n, const char* d) { return FieldInfo{n, "Model", d}; };
    visit(model("preset", "model shape: a built-in name or a TOML file"), spec.preset);
    visit(
        model("tp", "tensor-parallel ranks; heads and state divide by it, MLA rows do not"), spec.tp
    );
    visit(
        model("layers", "attention layers that a step runs; 0: all of the preset's"), spec.layers
    );
    visit(
        model("query-heads", "query heads that read each layer; 0: the preset's share of a rank"),
        spec.query_heads
    );
}

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_pool_fields(Spec& spec, Visit& visit) {
    const auto pool = [](const char* n, const char* d) { return FieldInfo{n, "Pool", d}; };
    visit(
        pool("pool", "static: one pool per layer, physical ids; unified: one buffer, virtual ids"),
        spec.pool
    );
    visit(pool("page-size", "tokens per page"), spec.page_size);
    visit(
        pool("pool-tokens", "tokens that the pool holds; 0: what the lanes need"), spec.pool_tokens
    );
    visit(pool("v2p", "element type of the virtual-to-physical table"), spec.v2p);
    visit(
        pool("id-space", "ids count row blocks of the buffer, or tokens with strided views"),
        spec.id_space
    );
}

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_lanes_fields(Spec& spec, Visit& visit) {
    const auto lanes = [](const char* n, const char* d) { return FieldInfo{n, "Lanes", d}; };
    visit(lanes("batch", "requests that decode in the step"), spec.batch);
    visit(lanes("max-batch", "largest captured batch; sizes the graph's buffers"), spec.max_batch);
    visit(
        lanes("max-context", "context length that graph buffers are sized for; 0: the preset's"),
        spec.max_context
    );
    visit(lanes("length-law", "how sequence lengths spread over the lanes"), spec.length_law);
    visit(lanes("seq-len", "tokens in context per lane, the new token included"), spec.seq_len);
    visit(
        lanes("long-len", "tokens in context of the last lane, with --length-law one-long"),
        spec.long_len
    );
    visit(lanes("seed", "seed of every random choice of the workload"), spec.seed);
    visit(lanes("holes", "share of req_to_token entries that are -1"), spec.holes);
    visit(lanes("tombstones", "share of bound pages whose v2p entry is -1"), spec.tombstones);
    visit(
        lanes("prefix-share", "share of each lane's tokens that are one common prefix"),
        spec.prefix_share
    );
    visit(
        lanes("fragmentation", "how far ids and v2p are from being in order"), spec.fragmentation
    );
    visit(
        lanes(
            "churn", "share of the lanes that finish and are replaced each step; 0: lengths stay"
        ),
        spec.churn
    );
}

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_step_fields(Spec& spec, Visit& visit) {
    const auto step = [](const char* n, const char* d) { return FieldInfo{n, "Step", d}; };
    visit(
        step("attention-backend", "whose metadata and buffers the step builds: a name or a file"),
        spec.attention_backend
    );
    visit(
        step("stage", "point of the engine's history; decides the options that are auto"),
        spec.stage
    );
    visit(
        step("index-mode", "a shared page-table rectangle, or each reader's own stream or table"),
        spec.index_mode
    );
    visit(
        step("grid", "launch grid of index kernels: baked by the context, or by the batch"),
        spec.grid
    );
    visit(
        step("table", "page table as the framework's 16 launches, or as one kernel (auto)"),
        spec.table
    );
    visit(step("table-tail", "what a page table holds past the live pages"), spec.table_tail);
    visit(
        step("indptr", "row starts as a scan and a copy (auto: as engines do), or as one kernel"),
        spec.indptr
    );
    visit(
        step("metadata", "lengths and tables: the backend's launches, tensor ops, or one kernel"),
        spec.metadata
    );
    visit(
        step("write", "write-location translate as separate launches, or as one kernel"), spec.write
    );
    visit(step("alloc", "bind and free as separate launches, or fused"), spec.alloc);
    visit(
        step("placement", "metadata launched before the replay, or recorded in the graph"),
        spec.placement
    );
    visit(
        step("stream-bound", "size the stream buffer by the context, or by the pool"),
        spec.stream_bound
    );
}

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_reader_fields(Spec& spec, Visit& visit) {
    const auto step = [](const char* n, const char* d) { return FieldInfo{n, "Step", d}; };
    visit(
        step("consumers", "readers that each have a stream or a table of their own"), spec.consumers
    );
    visit(step("share", "each reader translates, or one plan for all that they copy"), spec.share);
    visit(
        step("delta", "tokens by which readers exceed seq-len (speculative decoding)"), spec.delta
    );
    visit(
        step("verify", "verify delta draft tokens in every lane, or 1 to delta of them"),
        spec.verify
    );
    visit(step("dcp", "decode context parallel ranks"), spec.dcp);
    visit(step("dcp-rank", "this rank"), spec.dcp_rank);
    visit(
        step("compact-pages", "pages that a compaction moves before each step; 0: none"),
        spec.compact_pages
    );
    visit(
        step("delay-op", "put a delay of known length into this op, to see whether it is found"),
        spec.delay_op
    );
    visit(step("delay-us", "microseconds of the delay, each time the op runs"), spec.delay_us);
}

template<SpecOf<StepSpec> Spec, typename Visit>
void visit_tuning_fields(Spec& spec, Visit& visit) {
    const auto step = [](const char* n, const char* d) { return FieldInfo{n, "Step", d}; };
    visit(
        step("index-split", "how the page table and the token stream divide tokens over blocks"),
        spec.index_split
    );
    visit(
        step("index-threads", "threads of a block of these two kernels; 0: as shipped"),
        spec.index_threads
    );
    visit(
        step("index-items", "items of a thread in a pass of its block; 0: as shipped"),
        spec.index_items
    );
    visit(step("index-blocks", "blocks that their grids aim at; 0: as shipped"), spec.index_blocks);
    visit(
        step(
            "launch-edges",
            "index, write and allocator kernels start after the kernel before, or as it drains"
        ),
        spec.launch_edges
    );
}

/// Calls visit(FieldInfo, member) for every field, in the order of --help.
template<SpecOf<StepSpec> Spec, typename Visit>
void visit_fields(Spec& spec, Visit&& visit) {
    visit_model_fields(spec, visit);
    visit_pool_fields(spec, visit);
    visit_lanes_fields(spec, visit);
    visit_step_fields(spec, visit);
    visit_reader_fields(spec, visit);
    visit_tuning_fields(spec, visit);
}

} // namespace kvprof
