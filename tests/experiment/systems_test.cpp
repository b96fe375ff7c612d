#include "capture/experiment/systems.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kvprof::experiment {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

StepSpec small_step() {
    StepSpec step;
    step.batch = 64;
    step.seq_len = 512;
    return step;
}

SystemAxes axes(std::vector<std::string> presets, std::vector<std::string> backends) {
    return {
        std::move(presets),
        std::move(backends),
        {PoolKind::statik, PoolKind::unified},
        {HistoryStage::before, HistoryStage::after_37512}};
}

std::vector<Cell> cells_of(const SystemAxes& systems) {
    return cells_of_systems(small_step(), {}, systems);
}

TEST(Systems, AStaticPoolHasOneRowAndAUnifiedOneARowAStage) {
    const auto cells = cells_of(axes({"tiny-mla"}, {"flashinfer_mla"}));
    ASSERT_THAT(cells, SizeIs(3));
    EXPECT_EQ(cells[0].variant, "preset=tiny-mla attention-backend=flashinfer_mla pool=static");
    EXPECT_EQ(
        cells[2].variant,
        "preset=tiny-mla attention-backend=flashinfer_mla pool=unified stage=after-37512"
    );
    EXPECT_EQ(cells[1].step.stage, HistoryStage::before);
}

TEST(Systems, EveryModelBackendPoolAndStageIsThereAndNoTinyOne) {
    const SystemAxes all = all_systems();
    EXPECT_THAT(all.backends, testing::Contains("flashmla"));
    EXPECT_THAT(all.presets, testing::Contains("gpt-oss-20b"));
    EXPECT_THAT(all.presets, Each(testing::Not(testing::StartsWith("tiny-"))));
    EXPECT_THAT(all.stages, SizeIs(4));
    const auto cells = cells_of(all);
    EXPECT_THAT(cells, SizeIs(all.presets.size() * all.backends.size() * 5));
    std::set<std::string> variants;
    for (const Cell& cell : cells) {
        variants.insert(cell.variant);
    }
    EXPECT_THAT(variants, SizeIs(cells.size()));
}

TEST(Systems, APageSizeThatTheBackendDoesNotTakeGivesWayToItsSmallest) {
    const auto cells = cells_of(axes({"tiny-gqa"}, {"trtllm_mha"}));
    EXPECT_EQ(cells[0].step.page_size, 16);
    EXPECT_THAT(cells[0].notes, ElementsAre(HasSubstr("page size 16 instead of 1")));
    StepSpec fits = small_step();
    fits.page_size = 32;
    const auto kept = cells_of_systems(fits, {}, axes({"tiny-gqa"}, {"trtllm_mha"}));
    EXPECT_EQ(kept[0].step.page_size, 32);
    EXPECT_THAT(kept[0].notes, IsEmpty());
}

TEST(Systems, EveryPageSizeThatKernelsTakeIsTried) {
    const std::string threes = std::string(KVPROF_TESTS_DIR) + "/data/backends/threes.toml";
    const auto cells = cells_of(axes({"tiny-gqa"}, {threes}));
    EXPECT_EQ(cells[0].step.page_size, 3);
}

TEST(Systems, TheBatchOfAllRowsOfASystemIsHalvedUntilTheLargestFits) {
    auto cells = cells_of(axes({"tiny-gqa"}, {"triton"}));
    auto roomy = cells;
    fit_into(Bytes{std::int64_t{1} << 40}, roomy);
    EXPECT_EQ(roomy, cells);
    // Where the batch decides nothing else, half of it fits into what is sure to hold half.
    fit_into(Bytes{std::int64_t{48} << 20}, cells);
    EXPECT_LT(cells[0].step.batch, 64);
    EXPECT_EQ(64 % cells[0].step.batch, 0);
    EXPECT_THAT(cells, Each(Field(&Cell::notes, ElementsAre(HasSubstr("instead of 64")))));
    for (const Cell& cell : cells) {
        EXPECT_EQ(cell.step.batch, cells[0].step.batch);
    }
}

TEST(Systems, WhatDoesNotFitWithOneLaneSaysHowMuchItTakes) {
    auto cells = cells_of(axes({"tiny-gqa"}, {"triton"}));
    fit_into(Bytes{1024}, cells);
    EXPECT_THAT(cells[0].too_large, HasSubstr("1.0 KiB are to be used"));
    EXPECT_EQ(cells[0].step.batch, 1);
}

TEST(Systems, AnUnknownPresetOrBackendIsRefusedBeforeAnythingIsPlanned) {
    EXPECT_THROW(static_cast<void>(cells_of(axes({"tiny-gqu"}, {"triton"}))), UsageError);
    EXPECT_THROW(static_cast<void>(cells_of(axes({"tiny-gqa"}, {"tritn"}))), UsageError);
}

} // namespace
} // namespace kvprof::experiment
