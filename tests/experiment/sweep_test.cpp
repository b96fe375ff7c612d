#include "capture/experiment/sweep.h"

#include "capture/experiment/systems.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

StepSpec tiny_step() {
    StepSpec step;
    step.preset = "tiny-mla";
    step.batch = 4;
    step.max_batch = 16;
    step.seq_len = 512;
    return with_own_context(step);
}

std::string why(const std::string& text) {
    try {
        static_cast<void>(parse_axis(text));
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

std::vector<std::string> variants_of(const std::vector<Cell>& cells) {
    std::vector<std::string> variants;
    for (const Cell& cell : cells) {
        variants.push_back(cell.variant);
    }
    return variants;
}

TEST(SweepAxes, AreReadInRisingOrderWithBinarySuffixes) {
    const SweptAxis axis = parse_axis("seq-len=8Ki,1Ki,2000");
    EXPECT_EQ(axis.axis, SweepAxis::seq_len);
    EXPECT_THAT(axis.values, ElementsAre(1024, 2000, 8192));
}

TEST(SweepAxes, SayWhatIsWrongWithThem) {
    EXPECT_THAT(why("seq-len"), HasSubstr("there are no values"));
    EXPECT_THAT(why("seq-len=1024"), HasSubstr("one value moves nothing"));
    EXPECT_THAT(why("seq-len=1Ki,1024"), HasSubstr("the value 1024 is there twice"));
    EXPECT_THAT(why("seq-len=1,,2"), HasSubstr("a value is empty"));
    EXPECT_THAT(why("seq-len=1,two"), HasSubstr("two"));
    EXPECT_THAT(why("seqlen=1,2"), HasSubstr("seqlen"));
}

TEST(SweepAxes, TheUsualOnesReachTheContextAndTheLargestBatch) {
    const auto axes = usual_axes(tiny_step());
    ASSERT_THAT(axes, SizeIs(5));
    EXPECT_THAT(axes[0].values, ElementsAre(1024, 4096, 8192));
    EXPECT_THAT(axes[1].values, ElementsAre(1, 4, 16));
    EXPECT_THAT(axes[2].values, ElementsAre(2048, 4096, 8192));
    EXPECT_THAT(axes[3].values, ElementsAre(4, 8, 16));
    EXPECT_THAT(axes[4].values, ElementsAre(1, 16, 64));
}

TEST(SweepAxes, TheUsualCapacitiesRiseWhereAQuarterHoldsTooLittle) {
    StepSpec step = tiny_step();
    step.seq_len = 4096;
    step.batch = 16;
    const auto axes = usual_axes(step);
    EXPECT_THAT(axes[2].values, ElementsAre(8192, 16384, 32768));
    EXPECT_THAT(axes[3].values, ElementsAre(16, 32, 64));
}

TEST(SweepAxes, LeaveOutPageSizesThatTheBackendDoesNotTake) {
    StepSpec step = tiny_step();
    step.attention_backend = "flashmla"; // 64 alone
    step.page_size = 64;
    for (const SweptAxis& axis : usual_axes(step)) {
        EXPECT_NE(axis.axis, SweepAxis::page_size);
    }
}

TEST(SweepCells, AreAStarWhoseCommonPointIsThereOnce) {
    const StepSpec step = tiny_step();
    const auto cells =
        cells_of_sweep(step, {}, {{SweepAxis::seq_len, {256, 512}}, {SweepAxis::batch, {4, 8}}});
    EXPECT_THAT(variants_of(cells), ElementsAre("seq-len=256", "seq-len=512", "batch=8"));
    EXPECT_EQ(cells[0].step.batch, 4);
    EXPECT_EQ(cells[2].step.seq_len, 512);
    EXPECT_EQ(cells[2].step.batch, 8);
}

TEST(SweepCells, RefuseAnAxisThatIsThereTwice) {
    EXPECT_THROW(
        static_cast<void>(cells_of_sweep(
            tiny_step(), {}, {{SweepAxis::batch, {1, 2}}, {SweepAxis::batch, {4, 8}}}
        )),
        UsageError
    );
}

TEST(SweepCells, ThatDoNotFitSaySoAndStayAsTheyAre) {
    auto cells = cells_of_sweep(tiny_step(), {}, {{SweepAxis::seq_len, {16, 4096}}});
    refuse_beyond(Bytes{1} /* nothing fits */, cells);
    EXPECT_THAT(cells[1].too_large, HasSubstr("and 1 B are to be used"));
    EXPECT_EQ(cells[1].step.batch, 4);
    auto fitting = cells_of_sweep(tiny_step(), {}, {{SweepAxis::seq_len, {16, 4096}}});
    refuse_beyond(Bytes{std::int64_t{1} << 40}, fitting);
    EXPECT_THAT(fitting[1].too_large, IsEmpty());
}

} // namespace
} // namespace kvprof::experiment
