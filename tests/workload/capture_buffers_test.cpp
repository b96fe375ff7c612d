#include "capture/workload/capture_buffers.h"

#include "capture/model/error.h"
#include "capture/workload/graph_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

namespace {

using namespace kvprof;
using testing::HasSubstr;
using workload::plan_step;
using workload::StepPlan;

StepSpec on(const std::string& backend) {
    StepSpec spec;
    spec.preset = "tiny-gqa";
    spec.attention_backend = backend;
    spec.batch = 4;
    spec.max_batch = 8;
    spec.max_context = 1000;
    spec.seq_len = 100;
    return spec;
}

std::string file(const char* name) {
    return std::string(KVPROF_TESTS_DIR) + "/data/backends/" + name;
}

std::int64_t bytes_of(const StepPlan& plan, const char* formula) {
    return workload::bytes_of(plan, workload::parse_formula(formula).value());
}

TEST(ByteFormula, KnowsEachSymbol) {
    StepSpec spec = on("triton");
    spec.page_size = 16;
    spec.delta = 3;
    spec.verify = VerifyMode::uniform;
    const StepPlan plan = plan_step(spec, {});
    const std::map<const char*, std::int64_t> values{
        {"B", 8},
        {"N", 24},
        {"C", 1000},
        {"ps", 16},
        {"P", 63},
        {"R", 4 * 8 * 63},
        {"W", 0},
        {"Hq", 4},
        {"S", 8},
        {"dv", 64},
        {"elt", 2},
        {"T", 8000},
        {"U", 24'000},
        {"w", 1},
        {"4*B*P + 8*N + 2", 4 * 8 * 63 + 8 * 24 + 2}};
    for (const auto& [formula, value] : values) {
        EXPECT_EQ(bytes_of(plan, formula), value) << formula;
    }
}

TEST(ByteFormula, KnowsTheWindowOfAModelThatHasOne) {
    StepSpec spec = on("triton");
    spec.preset = "tiny-swa";
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(bytes_of(plan, "W"), 64);
    EXPECT_EQ(bytes_of(plan, "w"), 2);
}

TEST(ByteFormula, IsRefusedWhereItsBytesCanNotBeCounted) {
    const StepPlan plan = plan_step(on("triton"), {});
    EXPECT_THROW(static_cast<void>(bytes_of(plan, "C*C*C*C*C*C*B")), UsageError);
    EXPECT_THROW(static_cast<void>(bytes_of(plan, "C*C*C*C*C*C + C*C*C*C*C*C*8")), UsageError);
}

std::string refusal_of(const StepSpec& spec) {
    try {
        static_cast<void>(plan_step(spec, {}));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CaptureBuffers, ThatAreTooSmallForTheStepAreRefused) {
    EXPECT_THAT(
        refusal_of(on(file("too_small.toml"))),
        HasSubstr("too_small gives 16 B to kv_splits (2*N), and the step needs 32 B")
    );
}

TEST(CaptureBuffers, OfAStreamThatIsTooShortForTheLanesAreRefusedForWhatTheyAre) {
    try {
        static_cast<void>(plan_step(on(file("short_stream.toml")), {}));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(
            error.what(),
            HasSubstr("the lanes list 400 tokens, and the stream of short_stream under "
                      "--stream-bound context holds 8")
        );
        EXPECT_THAT(error.hint(), HasSubstr("the backend's file says too few bytes"));
    }
}

TEST(CaptureBuffers, OfAnotherBuffersNameAreRefused) {
    EXPECT_THAT(
        refusal_of(on(file("taken_name.toml"))), HasSubstr("names a capture buffer \"kv\"")
    );
}

std::map<std::string, std::int64_t> ledger_of_graph(const StepPlan& plan) {
    std::map<std::string, std::int64_t> bytes;
    for (const MemoryStat& stat : workload::ledger_of(plan)) {
        if (stat.group == "graph") {
            bytes[stat.name] += stat.bytes.count;
        }
    }
    return bytes;
}

std::map<std::string, std::int64_t> model_of(const StepPlan& plan) {
    std::map<std::string, std::int64_t> bytes;
    for (const MemoryStat& term : workload::graph_model(plan)) {
        bytes[term.name] += term.bytes.count;
    }
    return bytes;
}

TEST(CaptureBuffers, MayBeLargerByWholeRows) {
    const StepPlan plan = plan_step(on(file("roomy.toml")), {});
    const auto ledger = ledger_of_graph(plan);
    EXPECT_EQ(ledger, model_of(plan));
    EXPECT_EQ(ledger.at("lens32"), 64);
    EXPECT_EQ(ledger.at("block_table"), 2 * 4 * 8 * 1000);
}

/// Options that change what a graph holds: ledger and model agree under each. A reader of tables
/// has no stream to read in place, to fill beside a table, or to gather on a rank.
TEST(CaptureBuffers, P22AgreeWithTheModelUnderEveryOption) {
    const std::map<const char*, int> kTaken{{"flashinfer", 7}, {"triton", 7}, {"fa3", 4}};
    for (const auto& [backend, taken] : kTaken) {
        std::vector<StepSpec> specs(7, on(backend));
        specs[0].pool = PoolKind::statik;
        specs[0].index_mode = IndexMode::rectangle;
        specs[1].index_mode = IndexMode::both;
        specs[2].consumers = 3;
        specs[3].consumers = 3;
        specs[3].share = Share::plan;
        specs[4].stream_bound = StreamBound::pool;
        specs[4].pool_tokens = 2000;
        specs[5].dcp = 2;
        specs[5].stage = HistoryStage::before;
        specs[6].compact_pages = 4;
        int planned = 0;
        for (const StepSpec& spec : specs) {
            if (refusal_of(spec) == "accepted") {
                const StepPlan plan = plan_step(spec, {});
                EXPECT_EQ(ledger_of_graph(plan), model_of(plan)) << backend << planned;
                ++planned;
            }
        }
        EXPECT_EQ(planned, taken) << backend;
    }
}

TEST(CaptureBuffers, OfAnOpThatRunsAloneAreWhatItFillsAlone) {
    MeasureSpec how;
    how.op = "page-table";
    const auto ledger = ledger_of_graph(plan_step(on("fa3"), how));
    EXPECT_TRUE(ledger.contains("table"));
    EXPECT_FALSE(ledger.contains("draft_table"));
    EXPECT_FALSE(ledger.contains("strided_index"));
}

} // namespace
