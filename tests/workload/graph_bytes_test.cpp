#include "capture/model/error.h"
#include "capture/workload/backend.h"
#include "capture/workload/graph_model.h"
#include "capture/workload/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What each backend allocates for graph capture, written a second time from the design's table and
/// not from the backends' files: ledger, model and this must agree byte for byte.
namespace {

using namespace kvprof;
using workload::ModelSpec;
using workload::plan_step;
using workload::StepPlan;

using Bytes64 = std::int64_t;
using Terms = std::map<std::string, Bytes64>;

/// The symbols of the table, worked out from options and preset alone.
struct Facts {
    Facts(const StepSpec& spec, const ModelSpec& model)
        : is_unified(spec.pool == PoolKind::unified),
          has_rectangle(is_unified && spec.stage < HistoryStage::after_37512),
          drafts(spec.delta > 0),
          verifies(spec.verify != VerifyMode::off),
          b(spec.max_batch),
          n(spec.max_batch * (verifies ? spec.delta : 1)),
          c(spec.max_context > 0 ? spec.max_context : model.max_context),
          ps(spec.page_size),
          p((c + ps - 1) / ps),
          w(model.swa.layers > 0 ? model.swa.window : 0),
          hq(model.query_heads),
          dv(std::max(value_dim(model.full), value_dim(model.swa))) {}

    static Bytes64 value_dim(const workload::AttentionShape& shape) {
        return shape.latent_dim > 0 ? shape.latent_dim : shape.head_dim;
    }

    bool is_unified;
    bool has_rectangle;
    bool drafts;
    bool verifies;
    Bytes64 b, n, c, ps, p, w, hq, dv;
};

constexpr Bytes64 kSplits = 8;
constexpr Bytes64 kKvElement = 2; // bf16, as all built-in models have it

void add_rectangles(const Facts& f, bool has_twin, Terms& terms) {
    if (f.has_rectangle) {
        terms["table"] = 4 * f.b * f.p;
        if (has_twin && f.w > 0) {
            terms["window_table"] = 4 * f.b * f.p;
        }
    }
}

Terms flashinfer_mla(const Facts& f) {
    Terms terms{
        {"stream", 4 * f.b * f.c},
        {"indptr", 4 * (f.b + 1)},
        {"indptr_scan", 4 * (f.b + 1)},
        {"lens32", 4 * f.b}};
    add_rectangles(f, true, terms);
    return terms;
}

Terms flashinfer(const Facts& f) {
    Terms terms{
        {"stream", 4 * f.n * f.c}, {"indptr", 4 * (f.b + 1)}, {"indptr_scan", 4 * (f.b + 1)}};
    if (f.w > 0) { // a second wrapper
        terms["window_stream"] = 4 * f.n * f.c;
        terms["window_indptr"] = 4 * (f.b + 1);
        terms["swa_write_loc"] = 8 * f.n;
    }
    if (f.verifies) {
        terms["custom_mask"] = f.n * f.c;
    }
    add_rectangles(f, true, terms);
    return terms;
}

Terms triton(const Facts& f) {
    Terms terms{
        {"stream", 8 * f.n * f.c},
        {"attention_partials", 4 * f.n * f.hq * kSplits * f.dv + 4 * f.n * f.hq * kSplits},
        {"kv_splits", 4 * f.n}};
    if (f.w > 0) {
        terms["window_stream"] = 8 * f.n * f.w;
        terms["window_kv_splits"] = 4 * f.n;
        terms["window_lens"] = 4 * f.b;
        terms["swa_write_loc"] = 8 * f.n;
    }
    if (f.verifies) {
        terms["custom_mask"] = f.n * f.c;
    }
    if (f.is_unified) {
        terms["write_loc"] = 8 * f.n;
    }
    add_rectangles(f, true, terms);
    return terms;
}

void add_tables(const Facts& f, const std::vector<std::string>& names, Terms& terms) {
    for (const std::string& name : names) {
        terms[name] = 4 * f.b * f.p;
        if (f.w > 0) {
            terms["window_" + name] = 4 * f.b * f.p;
        }
    }
}

Terms fa3(const Facts& f) {
    Terms terms{
        {"lens32", 4 * f.b},
        {"cu_seqlens_k", 4 * (f.b + 1)},
        {"cu_seqlens_q", 4 * (f.b + 1)},
        {"strided_index", 8 * f.p}};
    add_tables(f, {"block_table"}, terms);
    if (f.drafts) {
        add_tables(f, {"draft_table", "verify_table", "extend_table"}, terms);
    }
    add_rectangles(f, true, terms);
    return terms;
}

Terms trtllm_mha(const Facts& f) {
    Terms terms{{"lens32", 4 * f.b}, {"strided_index", 8 * f.p}};
    add_tables(f, {"block_table"}, terms);
    if (f.w > 0) {
        terms["swa_write_loc"] = 8 * f.n;
    }
    if (f.drafts) { // no twins: the table names none
        terms["draft_table"] = 4 * f.b * f.p;
        terms["verify_table"] = 4 * f.b * f.p;
    }
    add_rectangles(f, true, terms);
    return terms;
}

Terms trtllm_mla(const Facts& f) {
    const Bytes64 block = 4096 / f.ps;
    const Bytes64 padded = (f.p + block - 1) / block * block;
    Terms terms{
        {"block_table", 4 * f.b * padded},
        {"padded_query", kKvElement * f.n * f.hq * 576},
        {"padded_output", kKvElement * f.n * f.hq * 512},
        {"inherited_stream", 4 * f.b * f.c}};
    if (f.is_unified) {
        terms["write_loc"] = 8 * f.n;
    }
    add_rectangles(f, false, terms);
    return terms;
}

Terms flashmla(const Facts& f) {
    Terms terms{
        {"block_table", 4 * f.b * ((f.c + f.ps) / f.ps)}, {"context_indptr", 4 * f.b * f.c}};
    add_rectangles(f, false, terms);
    return terms;
}

Terms aiter(const Facts& f) {
    return {{"stream", 4 * f.b * f.c}, {"indptr", 4 * (f.b + 1)}, {"indptr_scan", 4 * (f.b + 1)}};
}

const std::map<std::string, Terms (*)(const Facts&)>& table() {
    static const std::map<std::string, Terms (*)(const Facts&)> kTable{
        {"flashinfer_mla", flashinfer_mla},
        {"flashinfer", flashinfer},
        {"triton", triton},
        {"fa3", fa3},
        {"trtllm_mha", trtllm_mha},
        {"trtllm_mla", trtllm_mla},
        {"cutedsl_mla", trtllm_mla},
        {"tokenspeed_mla", trtllm_mla},
        {"flashmla", flashmla},
        {"aiter", aiter}};
    return kTable;
}

Terms ledger_of_graph(const StepPlan& plan) {
    Terms bytes;
    for (const MemoryStat& stat : workload::ledger_of(plan)) {
        if (stat.group == "graph") {
            bytes[stat.name] += stat.bytes.count;
        }
    }
    return bytes;
}

Terms model_of(const StepPlan& plan) {
    Terms bytes;
    for (const MemoryStat& term : workload::graph_model(plan)) {
        bytes[term.name] += term.bytes.count;
    }
    return bytes;
}

/// The step of one cell; nothing where the combination is refused.
std::optional<StepPlan> planned(const StepSpec& spec) {
    try {
        return plan_step(spec, {});
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Plain decode, a draft decode, and a verification.
std::vector<StepSpec> variants_of(const StepSpec& base) {
    std::vector<StepSpec> variants(3, base);
    variants[1].delta = 3;
    variants[2].delta = 3;
    variants[2].verify = VerifyMode::uniform;
    return variants;
}

class GraphBytes : public testing::TestWithParam<workload::Backend> {};

/// Every pool, stage and preset that the backend takes; returns how many there were.
int check_cells(const workload::Backend& backend, const ModelSpec& model) {
    int cells = 0;
    StepSpec base;
    base.preset = model.name;
    base.attention_backend = backend.name;
    base.batch = 4;
    base.seq_len = 64;
    base.page_size = backend.page_sizes.empty() ? 1 : backend.page_sizes.front();
    for (const auto& [pool, pool_name] : EnumNames<PoolKind>::values) {
        for (const auto& [stage, stage_name] : EnumNames<HistoryStage>::values) {
            base.pool = pool;
            base.stage = stage;
            for (const StepSpec& spec : variants_of(base)) {
                const auto plan = planned(spec);
                if (!plan) {
                    continue;
                }
                const Terms wanted = table().at(backend.name)(Facts(spec, model));
                EXPECT_EQ(model_of(*plan), wanted)
                    << model.name << ' ' << pool_name << ' ' << stage_name << ' ' << spec.delta;
                EXPECT_EQ(ledger_of_graph(*plan), wanted)
                    << model.name << ' ' << pool_name << ' ' << stage_name << ' ' << spec.delta;
                ++cells;
            }
        }
    }
    return cells;
}

TEST_P(GraphBytes, P22OfLedgerModelAndTableAgreeForEveryPoolStageAndPreset) {
    int cells = 0;
    for (const ModelSpec& model : workload::built_in_presets()) {
        cells += check_cells(GetParam(), model);
    }
    EXPECT_GE(cells, 12) << "of " << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Backends,
    GraphBytes,
    testing::ValuesIn(workload::built_in_backends().begin(), workload::built_in_backends().end()),
    [](const auto& backend) { return backend.param.name; }
);

TEST(GraphBytes, AreOfEveryBuiltInBackend) {
    for (const workload::Backend& backend : workload::built_in_backends()) {
        EXPECT_TRUE(table().contains(backend.name)) << backend.name;
    }
    EXPECT_EQ(table().size(), workload::built_in_backends().size());
}

} // namespace
