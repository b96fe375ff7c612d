#include "capture/experiment/tune_axes.h"

#include "capture/experiment/systems.h"
#include "capture/model/error.h"
#include "capture/workload/step_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kvprof::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string refusal_of(const char* shape) {
    try {
        static_cast<void>(parse_shape(shape));
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

TuneAxes axes(std::vector<TuneShape> shapes, std::vector<Vary> choices) {
    return {OpKind::token_stream, std::move(shapes), std::move(choices)};
}

TEST(TuneShapeText, HasLanesALengthAPerhapsLongLaneAndAnOrder) {
    EXPECT_EQ(parse_shape("64x8224"), (TuneShape{64, 8224, 0, {}}));
    EXPECT_EQ(parse_shape("2x1Ki:identity"), (TuneShape{2, 1024, 0, Fragmentation::identity}));
    EXPECT_EQ(
        parse_shape("64x1024+1000000:random"),
        (TuneShape{64, 1024, 1'000'000, Fragmentation::random})
    );
}

TEST(TuneShapeText, AnythingElseIsRefused) {
    EXPECT_THAT(refusal_of("64"), HasSubstr("could not read --shape 64: there is no BATCHxLEN"));
    EXPECT_THAT(refusal_of("x8"), HasSubstr("a number is missing"));
    EXPECT_THAT(refusal_of("64x"), HasSubstr("a number is missing"));
    EXPECT_THAT(refusal_of("64x8+"), HasSubstr("a number is missing"));
    EXPECT_THAT(refusal_of("64x8+0"), HasSubstr("0 is below 1"));
    EXPECT_THAT(refusal_of("64x8+8"), HasSubstr("8 is no longer than 8"));
    EXPECT_THAT(refusal_of("-1x8"), HasSubstr("-1 is below 1"));
    EXPECT_THAT(refusal_of("64x8x8"), HasSubstr("8x8"));
    EXPECT_THAT(refusal_of("64x8:sorted"), HasSubstr("--shape 64x8:sorted: \"sorted\" is not"));
    EXPECT_THAT(refusal_of("64x8:"), HasSubstr("shape"));
    EXPECT_THAT(refusal_of("9223372036854775807x8+8"), HasSubstr("is above 2147483647"));
}

TEST(TuneCells, EachShapeBeginsWithTheShippedChoice) {
    const auto cells = cells_of_tuning(
        {},
        {},
        axes(
            {{8, 512, 0, Fragmentation::identity}, {8, 512, 4096, {}}},
            {{"index-items", {"4"}}, {"index-threads", {"128", "512"}}}
        )
    );
    ASSERT_THAT(cells, SizeIs(6));
    EXPECT_EQ(cells[0].variant, "batch=8 seq-len=512 fragmentation=identity");
    EXPECT_THAT(cells[0].notes, ElementsAre(StartsWith("shipped: ")));
    EXPECT_EQ(cells[0].step.index_threads, 0);
    EXPECT_EQ(
        cells[1].variant,
        "batch=8 seq-len=512 fragmentation=identity index-items=4 index-threads=128"
    );
    EXPECT_EQ(cells[2].step.index_threads, 512);
    EXPECT_EQ(cells[2].measure.op, "token-stream");
    EXPECT_EQ(
        cells[3].variant,
        "batch=9 seq-len=512 length-law=one-long long-len=4096 fragmentation=random"
    );
    EXPECT_EQ(cells[3].step.batch, 9);
    EXPECT_EQ(cells[3].step.long_len, 4096);
}

TEST(TuneCells, AChoiceThatIsTheShippedOneIsThereOnce) {
    const std::vector<TuneShape> shape{{8, 512, 0, {}}};
    EXPECT_THAT(cells_of_tuning({}, {}, axes(shape, {{"index-split", {"auto"}}})), SizeIs(1));
    EXPECT_THAT(
        cells_of_tuning({}, {}, axes(shape, {{"launch-edges", {"full", "programmatic"}}})),
        SizeIs(2)
    );
}

TEST(TuneCells, ByDefaultAreTheCombinationsOfWhatIsCompiledAtFourShapes) {
    const auto cells = cells_of_tuning({}, {}, default_tune_axes());
    // rows and balanced: threads, items, blocks; flat has no items. The shipped choice is one of
    // them
    EXPECT_THAT(cells, SizeIs(4 * (2 * 3 * 2 * 2 + 3 * 2)));
    std::set<std::string> variants;
    for (const Cell& cell : cells) {
        variants.insert(cell.variant);
    }
    EXPECT_EQ(variants.size(), cells.size());
}

TEST(TuneCells, AShapeOfMoreBytesThanTheMemoryIsNotMadeSmaller) {
    StepSpec step;
    step.preset = "tiny-mla";
    std::vector<Cell> cells =
        cells_of_tuning(step, {}, axes({{2, 64, 0, {}}, {2, 4096, 0, {}}}, {}));
    Bytes of_first;
    for (const MemoryStat& buffer :
         workload::ledger_of(workload::plan_step(cells[0].step, cells[0].measure))) {
        of_first += buffer.bytes;
    }
    refuse_beyond(of_first, cells);
    EXPECT_EQ(cells[0].too_large, "");
    EXPECT_EQ(cells.back().step.batch, 2);
    EXPECT_THAT(cells.back().too_large, StartsWith("its buffers take "));
}

TEST(TuneCells, AnotherOpHasNoChoices) {
    EXPECT_TRUE(can_tune(OpKind::page_table));
    EXPECT_TRUE(can_tune(OpKind::token_stream));
    EXPECT_FALSE(can_tune(OpKind::repack));
}

} // namespace
} // namespace kvprof::experiment
