#include "analyzers/byte_law.h"

#include "analyzers/cost_laws.h"
#include "tests/analyzers/swept_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace kvprof::analyzers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Sizes = std::function<std::int64_t(const StepSpec&)>;

/// A star about 64 lanes of 8,192 tokens in a context of 1,048,576, whose one buffer has the bytes
/// of `size`. The pool holds what is live and 100 tokens more.
std::vector<kvprof::Run> star(const std::string& buffer, const Sizes& size) {
    StepSpec base;
    base.seq_len = 8192;
    base.max_context = 1 << 20;
    std::vector<kvprof::Run> runs;
    const auto add = [&](SweepAxis axis, std::int64_t value) {
        StepSpec step = base;
        field_of(step, axis) = value;
        kvprof::Run run = test::swept_run(step, 10.0);
        run.pool.schedulable_tokens = live_tokens(step) + 100;
        run.memory = {
            {buffer, MemorySource::ledger, "graph", Bytes{size(step)}},
            {buffer, MemorySource::model, "always", Bytes{1}}};
        runs.push_back(std::move(run));
    };
    for (const std::int64_t value : {1024, 8192, 131'072}) {
        add(SweepAxis::seq_len, value);
    }
    add(SweepAxis::batch, 16);
    add(SweepAxis::batch, 256);
    add(SweepAxis::max_context, 262'144);
    add(SweepAxis::max_context, 524'288);
    add(SweepAxis::max_batch, 64);
    add(SweepAxis::max_batch, 128);
    add(SweepAxis::page_size, 16);
    add(SweepAxis::page_size, 64);
    return runs;
}

ByteLaw law_of(const std::string& buffer, const Sizes& size) {
    const auto runs = star(buffer, size);
    const auto sides = cost_laws(runs);
    EXPECT_THAT(sides.at(0).bytes, SizeIs(1));
    return sides.at(0).bytes.at(0);
}

const ByteLine& line_of(const ByteLaw& law, SweepAxis axis) {
    for (const ByteLine& line : law.lines) {
        if (line.axis == axis) {
            return line;
        }
    }
    throw std::runtime_error("no such axis");
}

/// 4 * B * P: 1 GiB at 256 lanes of 1,048,576 pages, 1,024 B for each token of the context.
TEST(ByteLaws, FlagTheRectangleThatFollowsTheContext) {
    const ByteLaw law = law_of("table", [](const StepSpec& step) {
        return 4 * step.max_batch * step.max_context / step.page_size;
    });
    EXPECT_EQ(law.most, Bytes{1 << 30});
    EXPECT_THAT(
        law.follows,
        ElementsAre(ByteSource::max_context, ByteSource::max_batch, ByteSource::page_size)
    );
    EXPECT_THAT(law.capacity_axes, ElementsAre(SweepAxis::max_context, SweepAxis::max_batch));
    const ByteLine& line = line_of(law, SweepAxis::max_context);
    EXPECT_EQ(line.slope, 1024.0);
    EXPECT_EQ(line.intercept, 0.0);
    EXPECT_DOUBLE_EQ(line.elasticity, 1.0);
    EXPECT_FALSE(line_of(law, SweepAxis::page_size).slope) << "4 / page size is no line";
    EXPECT_DOUBLE_EQ(line_of(law, SweepAxis::page_size).elasticity, -1.0);
    EXPECT_FALSE(line_of(law, SweepAxis::seq_len).moves());
}

/// 4 * (pool + max_batch): the largest batch adds four bytes a lane to megabytes.
TEST(ByteLaws, DoNotFlagTheStreamThatIsBoundedByThePool) {
    const ByteLaw law = law_of("stream", [](const StepSpec& step) {
        return 4 * (live_tokens(step) + 100 + step.max_batch);
    });
    EXPECT_THAT(law.follows, ElementsAre(ByteSource::pool, ByteSource::max_batch));
    EXPECT_THAT(law.capacity_axes, IsEmpty());
}

TEST(ByteLaws, TellConstantFromBatchAndLiveTokens) {
    EXPECT_THAT(law_of("x", [](const StepSpec&) { return 8; }).follows, IsEmpty());
    EXPECT_THAT(
        law_of("x", [](const StepSpec& step) { return 8 * step.batch; }).follows,
        ElementsAre(ByteSource::batch)
    );
    EXPECT_THAT(
        law_of("x", [](const StepSpec& step) { return 8 * step.seq_len; }).follows,
        ElementsAre(ByteSource::live_tokens)
    );
}

TEST(ByteLaws, DoNotFlagAFewWordsALane) {
    const ByteLaw law = law_of("lens", [](const StepSpec& step) { return 8 * step.max_batch; });
    EXPECT_THAT(law.follows, ElementsAre(ByteSource::max_batch));
    EXPECT_THAT(law.capacity_axes, IsEmpty());
}

/// Every pool and backend has it, a column a position.
TEST(ByteLaws, DoNotFlagTheMatrixOfRequests) {
    const Sizes size = [](const StepSpec& step) {
        return 4 * step.max_context * (step.max_batch + 1);
    };
    EXPECT_THAT(law_of("req_to_token", size).capacity_axes, IsEmpty());
    EXPECT_THAT(law_of("other", size).capacity_axes, SizeIs(2));
}

} // namespace
} // namespace kvprof::analyzers
