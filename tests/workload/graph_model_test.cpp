#include "capture/workload/graph_model.h"

#include "capture/model/error.h"
#include "capture/workload/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

namespace {

using namespace kvprof;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using workload::graph_model;
using workload::plan_step;
using workload::StepPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr double kMiBytes = 1 << 20;

/// Buffers for the largest batch, 256, and the context of the preset.
StepSpec step_of(const char* preset, const char* backend, HistoryStage stage) {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.stage = stage;
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

Terms terms_of(const StepSpec& spec, const std::string& group) {
    return terms_of(plan_step(spec, {}), group);
}

std::int64_t sum(const Terms& terms) {
    std::int64_t bytes = 0;
    for (const auto& [name, term] : terms) {
        bytes += term;
    }
    return bytes;
}

TEST(GraphModel, P22OfKimiLinearAddsARectangleAsLargeAsTheStream) {
    const auto before = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::before);
    const auto after = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::after_37512);
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

// 2.89 -> 1.89 GB of a graph, and 2.97 -> 1.97 GB with two ranks.
TEST(GraphModel, P22OfKimiLinearHoldsTheRectangleUnderContextParallelismToo) {
    for (const std::int64_t dcp : {1, 2}) {
        auto spec = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::after_37511);
        spec.dcp = dcp;
        EXPECT_EQ(terms_of(spec, "added"), (Terms{{"table", 1024 * kMiB}})) << dcp;
        spec.stage = HistoryStage::after_37512;
        EXPECT_THAT(terms_of(spec, "added"), IsEmpty()) << dcp;
    }
}

// flashinfer 0.89 -> 0.77 GB and fa3 0.52 -> 0.39 GB of a graph.
TEST(GraphModel, P22OfFalconH1AddsARectangleOf128MiBOnEachBackend) {
    for (const char* backend : {"flashinfer", "fa3"}) {
        const auto before = step_of("falcon-h1-1.5b", backend, HistoryStage::before);
        const auto after = step_of("falcon-h1-1.5b", backend, HistoryStage::after_37512);
        EXPECT_EQ(terms_of(before, "added"), (Terms{{"table", 128 * kMiB}})) << backend;
        EXPECT_THAT(terms_of(after, "added"), IsEmpty()) << backend;
        EXPECT_EQ(terms_of(before, "always"), terms_of(after, "always")) << backend;
    }
}

TEST(GraphModel, P22OfGptOssAddsTwoRectanglesToARestOf288MiB75) {
    const auto spec = step_of("gpt-oss-20b", "triton", HistoryStage::before);
    const Terms added = terms_of(spec, "added");
    EXPECT_EQ(added.at("table") + added.at("window_table"), 256 * kMiB);
    const Terms rest = terms_of(spec, "always");
    EXPECT_EQ(rest.at("stream"), 256 * kMiB);
    EXPECT_EQ(rest.at("attention_partials"), 32 * kMiB + kMiB / 2); // logits and log-sums
    EXPECT_EQ(rest.at("window_stream"), kMiB / 4);
    const std::int64_t a_lane = 4 + 4 + 4 + 8; // two kinds of splits, window length, location
    EXPECT_EQ(sum(rest), 288 * kMiB + 3 * kMiB / 4 + 256 * a_lane);
}

// The engine's allocator counted 545.3 MiB before and 289.3 MiB after.
TEST(GraphModel, P22OfGptOssIsWithin600KiBOfWhatTheEngineCounted) {
    const auto total = [](HistoryStage stage) {
        const StepPlan plan = plan_step(step_of("gpt-oss-20b", "triton", stage), {});
        const std::int64_t bytes = sum(terms_of(plan, "always")) + sum(terms_of(plan, "added"));
        return static_cast<double>(bytes) / kMiBytes;
    };
    EXPECT_NEAR(total(HistoryStage::after_37511), 545.3, 0.6);
    EXPECT_NEAR(total(HistoryStage::after_37512), 289.3, 0.6);
}

// 32.6 MB instead of 1.07 GB, 33 slots for each token that the pool can hold.
TEST(GraphModel, P22AStreamBoundByThePoolIsAThirtiethOfOneBoundByTheContext) {
    StepSpec spec = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::after_37512);
    spec.pool_tokens = 8'150'000;
    const std::int64_t by_context = terms_of(spec, "always").at("stream");
    spec.stream_bound = StreamBound::pool;
    const std::int64_t by_pool = terms_of(spec, "always").at("stream");
    EXPECT_EQ(by_context / 4, 268'435'456);
    EXPECT_NEAR(static_cast<double>(by_context) / 1e9, 1.07, 0.01);
    EXPECT_NEAR(static_cast<double>(by_pool) / 1e6, 32.6, 0.05);
    EXPECT_NEAR(static_cast<double>(by_context / 4) / 8'150'000, 32.9, 0.05);
}

TEST(GraphModel, BoundsTheStreamByThePoolAndTheDraftsWhenAskedTo) {
    StepSpec spec = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::after_37512);
    spec.stream_bound = StreamBound::pool;
    spec.pool_tokens = 100'000;
    spec.delta = 3;
    EXPECT_EQ(terms_of(spec, "always").at("stream"), 4 * (100'000 + 256 * 4));
}

TEST(GraphModel, RoundsARectangleUpToWholePages) {
    StepSpec spec = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::before);
    spec.page_size = 64;
    spec.max_context = 1025;
    EXPECT_EQ(terms_of(spec, "added").at("table"), 4 * 256 * 17);
}

TEST(GraphModel, OfAStaticPoolHasItsTableInPlaceAndNothingAdded) {
    StepSpec spec = step_of("falcon-h1-1.5b", "triton", HistoryStage::before);
    spec.pool = PoolKind::statik;
    spec.index_mode = IndexMode::rectangle;
    EXPECT_EQ(terms_of(spec, "always").at("block_table"), 128 * kMiB);
    EXPECT_THAT(terms_of(spec, "added"), IsEmpty());
}

TEST(GraphModel, OfTrtllmMhaHoldsATableThatNobodyReadsBesideTheRectangle) {
    StepSpec spec = step_of("falcon-h1-1.5b", "trtllm_mha", HistoryStage::before);
    spec.page_size = 16;
    EXPECT_EQ(terms_of(spec, "always").at("block_table"), 8 * kMiB);
    EXPECT_EQ(terms_of(spec, "added"), (Terms{{"table", 8 * kMiB}}));
}

TEST(GraphModel, CountsAStreamOrATableForEachFurtherConsumer) {
    StepSpec spec = step_of("falcon-h1-1.5b", "flashinfer", HistoryStage::after_37512);
    spec.consumers = 4;
    EXPECT_EQ(terms_of(spec, "always").at("more_streams"), 3 * 128 * kMiB);
    spec.attention_backend = "fa3";
    EXPECT_EQ(terms_of(spec, "always").at("more_tables"), 3 * 128 * kMiB);
}

TEST(GraphModel, IsEmptyForAnOpThatRunsAlone) {
    MeasureSpec how;
    how.op = "token-stream";
    const auto spec = step_of("kimi-linear-48b", "flashinfer_mla", HistoryStage::after_37512);
    EXPECT_THAT(graph_model(plan_step(spec, how)), IsEmpty());
}

} // namespace
