#include "analyzers/pairs.h"

#include "capture/model/error.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

kvprof::Run run_of(IndexMode index_mode, std::int64_t batch) {
    kvprof::Run run = test::step_run(index_mode, {batch});
    run.step.batch = batch;
    return run;
}

kvprof::Run failed(kvprof::Run run) {
    run.status = {RunState::not_run, "out of memory", 5};
    return run;
}

std::vector<std::string> cells_of(const Pairing& pairing) {
    std::vector<std::string> cells;
    for (const Pair& pair : pairing.pairs) {
        cells.push_back(
            pair.cell + ": " + std::string(to_string(pair.base.step.index_mode)) + " -> "
            + std::string(to_string(pair.candidate.step.index_mode))
        );
    }
    return cells;
}

TEST(PairBy, PairsTheCellsOfAMatrix) {
    const Pairing pairing = pair_by(
        "index-mode",
        {run_of(IndexMode::rectangle, 8),
         run_of(IndexMode::stream, 8),
         run_of(IndexMode::stream, 64),
         run_of(IndexMode::rectangle, 64)}
    );
    EXPECT_THAT(
        cells_of(pairing),
        ElementsAre("batch=8: rectangle -> stream", "batch=64: rectangle -> stream")
    );
    EXPECT_THAT(pairing.unpaired, IsEmpty());
}

TEST(PairBy, PutsRepeatsOfAVariantOnOneSide) {
    const Pairing pairing = pair_by(
        "index-mode",
        {run_of(IndexMode::rectangle, 8),
         run_of(IndexMode::stream, 8),
         run_of(IndexMode::stream, 8),
         run_of(IndexMode::rectangle, 8)}
    );
    ASSERT_EQ(pairing.pairs.size(), 1U);
    EXPECT_EQ(pairing.pairs[0].cell, "");
    EXPECT_EQ(pairing.pairs[0].base.runs.size(), 2U);
    EXPECT_EQ(pairing.pairs[0].candidate.runs.size(), 2U);
}

TEST(PairBy, ComparesEachFurtherValueWithTheFirst) {
    const Pairing pairing = pair_by(
        "batch",
        {run_of(IndexMode::stream, 8), run_of(IndexMode::stream, 16), run_of(IndexMode::stream, 32)}
    );
    ASSERT_EQ(pairing.pairs.size(), 2U);
    EXPECT_EQ(pairing.pairs[0].base.step.batch, 8);
    EXPECT_EQ(pairing.pairs[0].candidate.step.batch, 16);
    EXPECT_EQ(pairing.pairs[1].base.step.batch, 8);
    EXPECT_EQ(pairing.pairs[1].candidate.step.batch, 32);
}

TEST(PairBy, SaysWhyAVariantHasNoCounterpart) {
    const Pairing pairing = pair_by(
        "index-mode",
        {run_of(IndexMode::rectangle, 8),
         failed(run_of(IndexMode::stream, 8)),
         failed(run_of(IndexMode::rectangle, 16)),
         run_of(IndexMode::stream, 16),
         run_of(IndexMode::stream, 32)}
    );
    EXPECT_THAT(pairing.pairs, IsEmpty());
    EXPECT_THAT(
        pairing.unpaired,
        ElementsAre(
            Unpaired{"index-mode=stream batch=8", "no complete run; not-run: out of memory"},
            Unpaired{"index-mode=rectangle batch=8", "no complete run has another index-mode"},
            Unpaired{"index-mode=rectangle batch=16", "no complete run; not-run: out of memory"},
            Unpaired{"index-mode=stream batch=16", "index-mode=rectangle has no complete run"},
            Unpaired{"index-mode=stream batch=32", "there is no run with index-mode=rectangle"}
        )
    );
}

TEST(PairBy, SuggestsTheNearestField) {
    try {
        std::ignore = pair_by("index-mod", {run_of(IndexMode::stream, 8)});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.hint(), HasSubstr("index-mode"));
    }
}

TEST(PairBy, FindsNothingInNoRuns) {
    EXPECT_THAT(pair_by("batch", {}).pairs, IsEmpty());
    EXPECT_EQ(exit_code_of(compare_pairs(pair_by("batch", {}))), ExitCode::not_comparable);
}

TEST(ComparePairs, TakesTheGreatestExitCode) {
    const PairedComparison paired = compare_pairs(
        pair_by("index-mode", {run_of(IndexMode::rectangle, 8), run_of(IndexMode::stream, 8)})
    );
    ASSERT_EQ(paired.cells.size(), 1U);
    EXPECT_EQ(exit_code_of(paired), ExitCode::difference);
}

TEST(ComparePairs, AreOneFamilyOfTests) {
    std::vector<kvprof::Run> runs;
    for (const std::int64_t batch : {8, 64}) {
        for (int repeat = 0; repeat < 5; ++repeat) {
            runs.push_back(run_of(IndexMode::rectangle, batch));
            runs.push_back(run_of(IndexMode::stream, batch));
        }
    }
    const PairedComparison paired = compare_pairs(pair_by("index-mode", runs));
    ASSERT_EQ(paired.cells.size(), 2U);
    for (const PairedComparison::Cell& cell : paired.cells) {
        const auto& rows = cell.comparison.deltas;
        const auto time = std::find_if(rows.begin(), rows.end(), [](const Delta& row) {
            return row.id == "step.gpu_time";
        });
        ASSERT_NE(time, rows.end());
        EXPECT_EQ(time->test->tests, 2U);
        EXPECT_EQ(cell.comparison.treatment, std::vector<std::string>{"index-mode"});
    }
}

} // namespace
} // namespace kvprof::analyzers
