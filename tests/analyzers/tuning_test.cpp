#include "analyzers/tuning.h"

#include "analyzers/json_tuning.h"
#include "analyzers/tuning_sections.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr LaunchChoice kShipped{};
constexpr LaunchChoice kRows{IndexSplit::rows, 256, 4, 528, LaunchEdges::automatic};
constexpr LaunchChoice kFlat{IndexSplit::flat, 256, 4, 528, LaunchEdges::automatic};

/// A run whose samples take these hundredths of a microsecond a launch.
kvprof::Run run_of(
    std::int64_t batch, const LaunchChoice& choice, const std::vector<std::int64_t>& hundredths
) {
    kvprof::Run run = test::step_run(IndexMode::stream, hundredths);
    run.measure.op = "token-stream";
    run.measure.op_launches = 100;
    run.step.batch = batch;
    run.step.index_split = choice.split;
    run.step.index_threads = choice.threads;
    run.step.index_items = choice.items;
    run.step.index_blocks = choice.blocks;
    run.step.launch_edges = choice.edges;
    return run;
}

kvprof::Run failed(kvprof::Run run, RunState state, std::string reason) {
    run.status = {state, std::move(reason), 2};
    run.samples.clear();
    return run;
}

std::string cell(const Section& section, std::size_t row, std::size_t column) {
    return section.table->rows().at(row).at(column).text;
}

/// Times in hundredths of a microsecond of shipped, rows and flat at batch 8 and at batch 64.
std::vector<kvprof::Run> two_shapes() {
    return {
        run_of(8, kShipped, {1000}),
        run_of(8, kRows, {800}),
        run_of(8, kFlat, {900}),
        run_of(64, kShipped, {2000}),
        run_of(64, kRows, {3000}),
        run_of(64, kFlat, {2100})};
}

TEST(Tuning, TheBestOfAShapeTakesTheLeastTimeOfALaunch) {
    const Tuning tuning = tuning_of(two_shapes());
    EXPECT_EQ(tuning.op, "token-stream");
    EXPECT_THAT(tuning.choices, ElementsAre(kShipped, kRows, kFlat));
    ASSERT_THAT(tuning.shapes, SizeIs(2));
    EXPECT_EQ(tuning.shapes[0].step.batch, 8);
    EXPECT_EQ(tuning.shapes[0].best, 1U);
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[1]->ns, 8000.0);
    EXPECT_DOUBLE_EQ(*tuning.shapes[0].regret(0), 10.0 / 8.0 - 1.0);
    EXPECT_EQ(tuning.shapes[1].best, 0U);
}

TEST(Tuning, TheJointOptimumHasTheLeastLargestRegretAndNeedNotBeBestAnywhere) {
    const Tuning tuning = tuning_of(two_shapes());
    // shipped: 25 % and 0; rows: 0 and 50 %; flat: 12.5 % and 5 %
    EXPECT_DOUBLE_EQ(*tuning.largest_regret(0), 0.25);
    EXPECT_DOUBLE_EQ(*tuning.largest_regret(1), 0.5);
    ASSERT_TRUE(tuning.joint);
    EXPECT_EQ(tuning.joint->choice, 2U);
    EXPECT_DOUBLE_EQ(tuning.joint->largest_regret, 0.125);
    EXPECT_EQ(tuning.joint->worst_shape, 0U);
    EXPECT_THAT(tuning.joint->ties, IsEmpty());
}

TEST(Tuning, OnlyAChoiceWithATimeAtEveryShapeIsTheJointOptimum) {
    auto runs = two_shapes();
    runs[5] = failed(runs[5], RunState::invalid, "42 of 64 ids differ");
    const Tuning tuning = tuning_of(runs);
    EXPECT_EQ(tuning.joint->choice, 0U); // shipped: 25 %, where rows has 50 %
    EXPECT_FALSE(tuning.largest_regret(2));
    EXPECT_THAT(
        tuning.shapes[1].untimed,
        ElementsAre(UntimedChoice{2, RunState::invalid, "42 of 64 ids differ"})
    );
}

TEST(Tuning, AShapeThatNothingWasTimedAtRulesNothingOut) {
    auto runs = two_shapes();
    for (const LaunchChoice& choice : {kShipped, kRows, kFlat}) {
        runs.push_back(failed(run_of(512, choice, {1}), RunState::not_run, "batch 512 exceeds 256")
        );
    }
    const Tuning tuning = tuning_of(runs);
    ASSERT_THAT(tuning.shapes, SizeIs(3));
    EXPECT_FALSE(tuning.shapes[2].best);
    EXPECT_EQ(tuning.joint->choice, 2U);
    EXPECT_DOUBLE_EQ(tuning.joint->largest_regret, 0.125);
    const Section untimed = tuning_sections(tuning).back();
    EXPECT_EQ(untimed.title, "without a time");
    EXPECT_EQ(cell(untimed, 0, 2), "3");
    EXPECT_EQ(cell(untimed, 0, 4), "batch 512 exceeds 256");
}

TEST(Tuning, WithoutAnyTimeNothingIsBest) {
    const Tuning tuning =
        tuning_of({failed(run_of(8, kShipped, {1}), RunState::not_run, "no device")});
    EXPECT_FALSE(tuning.joint);
    EXPECT_FALSE(tuning.largest_regret(0));
    EXPECT_THAT(tuning_sections(tuning)[0].lines, ElementsAre("no choice has a time"));
    EXPECT_TRUE(tuning_object(tuning)["joint"].is_null());
}

TEST(Tuning, TimesThatDifferByWhatProcessesDifferByAreTies) {
    // 0.2 % on either side: 8.00 reaches up to 8.016, 8.03 down to 8.014, 8.04 to 8.024
    const Tuning tuning =
        tuning_of({run_of(8, kShipped, {804}), run_of(8, kRows, {800}), run_of(8, kFlat, {803})});
    EXPECT_EQ(tuning.shapes[0].best, 1U);
    EXPECT_THAT(tuning.shapes[0].ties, ElementsAre(2U));
    EXPECT_THAT(tuning.joint->ties, ElementsAre(2U));
}

TEST(Tuning, SamplesThatScatterWidenTheTies) {
    // ten samples: the 95 % interval of their median goes from the 2nd to the 9th
    const std::vector<std::int64_t> scattered{790, 795, 800, 805, 810, 830, 835, 840, 845, 850};
    const Tuning tuning = tuning_of({run_of(8, kShipped, scattered), run_of(8, kRows, {800})});
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[0]->ns, 8200.0);
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[0]->low, 7950.0 * 0.998);
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[0]->high, 8450.0 * 1.002);
    EXPECT_THAT(tuning.shapes[0].ties, ElementsAre(0U));
}

TEST(Tuning, RunsOfOneStepAreOneTime) {
    const Tuning tuning = tuning_of(
        {run_of(8, kShipped, {1000}),
         run_of(8, kRows, {800}),
         run_of(8, kRows, {820}),
         run_of(8, kRows, {810}),
         run_of(8, kShipped, {1000})}
    );
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[1]->ns, 8100.0);
    EXPECT_EQ(tuning.shapes[0].times[1]->runs, 3U);
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[1]->low, 8000.0 * 0.998);
    EXPECT_DOUBLE_EQ(tuning.shapes[0].times[1]->high, 8200.0 * 1.002);
}

TEST(Tuning, TheShippedChoiceIsFirstWhereverItsRunsAre) {
    const Tuning tuning = tuning_of({run_of(8, kRows, {800}), run_of(8, kShipped, {1000})});
    EXPECT_THAT(tuning.choices, ElementsAre(kShipped, kRows));
    EXPECT_EQ(tuning.shipped, 0U);
    EXPECT_EQ(tuning.shapes[0].best, 1U);
    EXPECT_FALSE(tuning_of({run_of(8, kRows, {800})}).shipped);
}

TEST(TuningSections, SayHowFarTheShippedChoiceIsFromTheBest) {
    const auto sections = tuning_sections(tuning_of(two_shapes()));
    ASSERT_THAT(sections, SizeIs(2));
    EXPECT_EQ(sections[0].title, "best at each shape");
    EXPECT_EQ(cell(sections[0], 0, 0), "8 x 8,224");
    EXPECT_EQ(cell(sections[0], 0, 2), "rows, 256 threads, 4 items, 528 blocks");
    EXPECT_EQ(cell(sections[0], 0, 3), "8.00 us");
    EXPECT_EQ(cell(sections[0], 0, 4), "10.00 us");
    EXPECT_EQ(cell(sections[0], 0, 5), "+25.0 %");
    EXPECT_EQ(sections[1].title, "best for all shapes");
    EXPECT_EQ(cell(sections[1], 1, 3), "+5.0 %");
    EXPECT_THAT(
        sections[1].lines,
        ElementsAre(
            "flat, 256 threads, 4 items, 528 blocks: at most 12.5 % over the best of a shape",
            "shipped: at most 25.0 % over the best of a shape",
            "ties with it: none"
        )
    );
}

TEST(TuningSections, SayThatNoiseDoesNotTellTheShippedChoiceFromTheBest) {
    const auto sections =
        tuning_sections(tuning_of({run_of(8, kShipped, {801}), run_of(8, kRows, {800})}));
    EXPECT_EQ(cell(sections[0], 0, 6), "1, the shipped one among them");
    EXPECT_THAT(sections[1].lines[1], HasSubstr("noise does not tell it from this choice"));
}

TEST(TuningSections, ASkewedShapeNamesItsLongLane) {
    kvprof::Run run = run_of(65, kShipped, {800});
    run.step.length_law = LengthLaw::one_long;
    run.step.seq_len = 1024;
    run.step.long_len = 1'000'000;
    const auto sections = tuning_sections(tuning_of({run}));
    EXPECT_EQ(cell(sections[0], 0, 0), "64 x 1,024 + 1 x 1,000,000");
}

TEST(TuningSections, EveryChoiceIsListedTheLeastLargestRegretFirst) {
    auto runs = two_shapes();
    runs[4] = failed(runs[4], RunState::invalid, "wrong");
    const Section all = tuning_choices(tuning_of(runs));
    EXPECT_EQ(cell(all, 0, 0), "flat, 256 threads, 4 items, 528 blocks");
    EXPECT_EQ(cell(all, 1, 0), "shipped");
    EXPECT_EQ(cell(all, 2, 2), "-");
    EXPECT_EQ(cell(all, 2, 3), "-"); // no time at one shape: no largest regret
}

TEST(TuningObject, NamesChoicesByTheirPlace) {
    const Json json = tuning_object(tuning_of(two_shapes()));
    EXPECT_EQ(json["choices"][2]["index-split"], "flat");
    EXPECT_EQ(json["choices"][0]["is_shipped"], true);
    EXPECT_EQ(json["joint"]["choice"], 2);
    EXPECT_EQ(json["joint"]["largest_regret"], 0.125);
    EXPECT_EQ(json["shapes"][0]["best"], 1);
    EXPECT_EQ(json["shapes"][0]["times"][1]["time_ns"], 8000);
    EXPECT_EQ(json["shipped_largest_regret"], 0.25);
}

} // namespace
} // namespace kvprof::analyzers
