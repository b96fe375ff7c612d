#include "capture/workload/graph_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace kvprof;
using testing::IsEmpty;
using workload::graph_model;
using workload::plan_step;
using workload::StepPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Buffers for the largest batch, 256, and the context of the preset.
StepSpec step_of(const char* preset, AttentionBackend backend, IndexMode mode) {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.index_mode = mode;
    spec.batch = 8;
    spec.seq_len = 1024;
    return spec;
}

using Terms = std::map<std::string, std::int64_t>;

Terms terms_of(const StepPlan& plan, const std::string& group) {
    Terms terms;
    for (const MemoryStat& term : graph_model(plan)) {
        EXPECT_EQ(term.source, MemorySource::model);
        if (term.group == group) {
            terms[term.name] = term.bytes.count;
        }
    }
    return terms;
}

std::int64_t sum(const Terms& terms) {
    std::int64_t bytes = 0;
    for (const auto& [name, term] : terms) {
        bytes += term;
    }
    return bytes;
}

TEST(GraphModel, OfKimiLinearAddsARectangleAsLargeAsTheStream) {
    const auto backend = AttentionBackend::flashinfer_mla;
    const auto before = plan_step(step_of("kimi-linear-48b", backend, IndexMode::rectangle), {});
    const auto after = plan_step(step_of("kimi-linear-48b", backend, IndexMode::stream), {});
    const Terms always{
        {"stream", 1024 * kMiB},
        {"indptr", 4 * 257},
        {"indptr_scan", 4 * 257},
        {"lens32", 4 * 256}};
    EXPECT_EQ(terms_of(before, "always"), always);
    EXPECT_EQ(terms_of(after, "always"), always);
    EXPECT_EQ(terms_of(before, "added"), (Terms{{"table", 1024 * kMiB}}));
    EXPECT_THAT(terms_of(after, "added"), IsEmpty());
}

TEST(GraphModel, OfFalconH1AddsARectangleOf128MiB) {
    const auto backend = AttentionBackend::triton;
    const auto before = plan_step(step_of("falcon-h1-1.5b", backend, IndexMode::rectangle), {});
    const auto after = plan_step(step_of("falcon-h1-1.5b", backend, IndexMode::stream), {});
    EXPECT_EQ(terms_of(before, "added"), (Terms{{"table", 128 * kMiB}, {"write_loc", 2048}}));
    EXPECT_EQ(terms_of(after, "added"), (Terms{{"write_loc", 2048}}));
    EXPECT_EQ(terms_of(before, "always"), terms_of(after, "always"));
}

TEST(GraphModel, OfGptOssAddsTwoRectanglesToARestOf288MiB75) {
    const auto backend = AttentionBackend::triton;
    const auto before = plan_step(step_of("gpt-oss-20b", backend, IndexMode::rectangle), {});
    const Terms added = terms_of(before, "added");
    EXPECT_EQ(added.at("table") + added.at("window_table"), 256 * kMiB);
    const Terms rest = terms_of(before, "always");
    EXPECT_EQ(rest.at("stream"), 256 * kMiB);
    EXPECT_EQ(rest.at("logits"), 32 * kMiB);
    EXPECT_EQ(rest.at("lse"), kMiB / 2);
    EXPECT_EQ(rest.at("window_stream"), kMiB / 4);
    const std::int64_t a_lane = 4 + 4 + 4 + 8; // two kinds of splits, window length, location
    EXPECT_EQ(sum(rest), 288 * kMiB + 3 * kMiB / 4 + 256 * a_lane);
}

Terms ledger_of_graph(const StepPlan& plan) {
    Terms bytes;
    for (const MemoryStat& stat : workload::ledger_of(plan)) {
        if (stat.group == "graph") {
            bytes[stat.name] = stat.bytes.count;
        }
    }
    return bytes;
}

Terms model_by_buffer(const StepPlan& plan) {
    Terms bytes;
    for (const MemoryStat& term : graph_model(plan)) {
        // One buffer holds the outputs of the splits and their log-sums.
        const bool is_partial = term.name == "logits" || term.name == "lse";
        bytes[is_partial ? "attention_partials" : term.name] += term.bytes.count;
    }
    return bytes;
}

TEST(GraphModel, AgreesWithTheLedgerTermByTermAndNoBufferIsBeyondIt) {
    struct Case {
        const char* preset;
        AttentionBackend backend;
        bool has_static;
    };

    for (const Case& c :
         {Case{"kimi-linear-48b", AttentionBackend::flashinfer_mla, true},
          Case{"kimi-linear-48b", AttentionBackend::triton, true},
          Case{"falcon-h1-1.5b", AttentionBackend::triton, true},
          Case{"gpt-oss-20b", AttentionBackend::triton, false}}) {
        for (const auto& [mode, mode_name] : EnumNames<IndexMode>::values) {
            for (const auto& [pool, pool_name] : EnumNames<PoolKind>::values) {
                for (const std::int64_t page_size : {1, 64}) {
                    if (pool == PoolKind::statik && !c.has_static) {
                        continue;
                    }
                    StepSpec spec = step_of(c.preset, c.backend, mode);
                    spec.pool = pool;
                    spec.page_size = page_size;
                    const StepPlan plan = plan_step(spec, {});
                    EXPECT_EQ(model_by_buffer(plan), ledger_of_graph(plan))
                        << c.preset << ' ' << mode_name << ' ' << pool_name << ' ' << page_size;
                }
            }
        }
    }
}

TEST(GraphModel, BoundsTheStreamByThePoolWhenAskedTo) {
    StepSpec spec = step_of("kimi-linear-48b", AttentionBackend::flashinfer_mla, IndexMode::stream);
    spec.stream_bound = StreamBound::pool;
    spec.pool_tokens = 100'000;
    spec.delta = 3;
    EXPECT_EQ(terms_of(plan_step(spec, {}), "always").at("stream"), 4 * (100'000 + 256 * 4));
}

TEST(GraphModel, RoundsARectangleUpToWholePages) {
    StepSpec spec =
        step_of("kimi-linear-48b", AttentionBackend::flashinfer_mla, IndexMode::rectangle);
    spec.page_size = 64;
    spec.max_context = 1025;
    EXPECT_EQ(terms_of(plan_step(spec, {}), "added").at("table"), 4 * 256 * 17);
}

TEST(GraphModel, OfAStaticPoolHasItsTableInPlaceAndNothingAdded) {
    StepSpec spec = step_of("falcon-h1-1.5b", AttentionBackend::triton, IndexMode::rectangle);
    spec.pool = PoolKind::statik;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(terms_of(plan, "always").at("block_table"), 128 * kMiB);
    EXPECT_THAT(terms_of(plan, "added"), IsEmpty());
}

TEST(GraphModel, IsEmptyForAnOpThatRunsAlone) {
    MeasureSpec how;
    how.op = "token-stream";
    const auto spec =
        step_of("kimi-linear-48b", AttentionBackend::flashinfer_mla, IndexMode::stream);
    EXPECT_THAT(graph_model(plan_step(spec, how)), IsEmpty());
}

} // namespace
