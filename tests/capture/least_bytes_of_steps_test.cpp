#include "capture/host/host_executor.h"
#include "capture/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

StepSpec tiny(const char* preset) {
    StepSpec step;
    step.preset = preset;
    step.batch = 4;
    step.max_batch = 4;
    step.seq_len = 64;
    step.max_context = 256;
    return step;
}

MeasureSpec quick() {
    MeasureSpec how;
    how.executor = ExecutorKind::host;
    how.samples = 1;
    how.replays = 1;
    how.warmup_max_s = 0.01;
    return how;
}

kvprof::Run measured(const StepSpec& step, const MeasureSpec& how) {
    host::HostExecutor executor;
    kvprof::Run run = measure(executor, step, how);
    EXPECT_EQ(run.status.reason, "");
    return run;
}

std::int64_t bytes_of(const kvprof::Run& run, OpKind op) {
    std::int64_t sum = 0;
    for (const OpStat& stat : run.ops) {
        EXPECT_TRUE(stat.least_bytes.has_value()) << to_string(stat.op);
        sum += stat.op == op ? stat.least_bytes.value_or(Bytes{}).count : 0;
    }
    return sum;
}

TEST(LeastBytesOfSteps, AreKnownOfEveryOpOfAStep) {
    // 256 tokens of 12 bytes at page size 1; four lanes of row 8, indptr 4 and a length of 4 or 8.
    const auto bytes = bytes_of(measured(tiny("tiny-mla"), quick()), OpKind::token_stream);
    EXPECT_GE(bytes, 256 * 12 + 4 * 16);
    EXPECT_LE(bytes, 256 * 12 + 4 * 20);
}

TEST(LeastBytesOfSteps, AddUpTheLaunchesOfAnOpAlone) {
    MeasureSpec how = quick();
    how.op = "token-stream";
    how.op_launches = 5;
    EXPECT_EQ(
        bytes_of(measured(tiny("tiny-mla"), how), OpKind::token_stream), 5 * (256 * 12 + 4 * 20)
    );
}

TEST(LeastBytesOfSteps, CountKAndVOfAModelThatHasBoth) {
    // The twin that counts has no KV pool: K and V still are two planes, not one.
    StepSpec step = tiny("tiny-gqa");
    step.attention_backend = "triton";
    StepSpec longer = step;
    longer.seq_len = 128;
    const auto more = bytes_of(measured(longer, quick()), OpKind::attention)
                      - bytes_of(measured(step, quick()), OpKind::attention);
    // 256 tokens more, in each of 2 layers 2 heads of 64 bf16 of K, as many of V, and an id.
    EXPECT_THAT(more, testing::AnyOf(256 * 2 * (256 + 256 + 4), 256 * 2 * (256 + 256 + 8)));
}

} // namespace
} // namespace kvprof
