#include "capture/verify.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::Ids;
using test::StepRig;
using workload::BufferId;

StepSpec verifying(VerifyMode mode, PoolKind pool = PoolKind::unified) {
    StepSpec spec = test::small_step();
    spec.pool = pool;
    spec.page_size = 4;
    spec.delta = 3;
    spec.verify = mode;
    return spec;
}

TEST(VerifyCsr, UniformDraftsGiveQueriesARampAndKeysTheWidenedLengths) {
    const StepRig rig(verifying(VerifyMode::uniform));
    rig.run();
    EXPECT_THAT(
        rig.values<std::int32_t>(BufferId::qo_indptr, 5), testing::ElementsAre(0, 3, 6, 9, 12)
    );
    EXPECT_THAT(
        rig.values<std::int64_t>(BufferId::kv_lens, 4), testing::ElementsAre(23, 23, 23, 4)
    );
    EXPECT_THAT(
        rig.values<std::int32_t>(BufferId::indptr, 5), testing::ElementsAre(0, 23, 46, 69, 73)
    );
}

TEST(VerifyCsr, RaggedDraftsAreScannedLaneByLane) {
    const StepRig rig(verifying(VerifyMode::ragged));
    rig.run();
    const auto drafts = rig.values<std::int64_t>(BufferId::draft_lens, 4);
    const auto queries = rig.values<std::int32_t>(BufferId::qo_indptr, 5);
    const auto keys = rig.values<std::int32_t>(BufferId::indptr, 5);
    EXPECT_EQ(queries.front(), 0);
    EXPECT_EQ(keys.front(), 0);
    for (std::size_t lane = 0; lane < 3; ++lane) {
        EXPECT_GE(drafts[lane], 1);
        EXPECT_LE(drafts[lane], 3);
        EXPECT_EQ(drafts[lane], rig.plan.drafts[lane]);
        EXPECT_EQ(queries[lane + 1] - queries[lane], drafts[lane]);
        EXPECT_EQ(keys[lane + 1] - keys[lane], 20 + drafts[lane]);
    }
}

class VerifySteps : public testing::TestWithParam<VerifyMode> {};

TEST_P(VerifySteps, P16TheStreamListsEveryDraftedToken) {
    const StepRig rig(verifying(GetParam()));
    rig.run();
    const Ids expected = reference::token_stream(test::read_inputs(rig), {});
    EXPECT_EQ(
        test::stream_ids(rig, BufferId::stream, static_cast<std::int64_t>(expected.size())),
        expected
    );
}

TEST_P(VerifySteps, AreProvenByVerificationOnEitherPoolAndInEveryForm) {
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        for (const HistoryStage stage : {HistoryStage::before, HistoryStage::after_fused_write}) {
            for (const LaunchForm indptr : {LaunchForm::eager, LaunchForm::fused}) {
                StepSpec spec = verifying(GetParam(), pool);
                spec.stage = stage;
                spec.indptr = indptr;
                const StepRig rig(spec);
                const Check check = verify(*rig.step, rig.plan, rig.state);
                EXPECT_LT(check.attention_error.value_or(1.0), 1e-4)
                    << testing::PrintToString(spec);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, VerifySteps, testing::Values(VerifyMode::uniform, VerifyMode::ragged)
);

// arange, zeros, add, scan, copy; the gather is the index op's.
TEST(VerifyCsr, TakesTheLaunchesOfTheCatalogue) {
    const StepRig uniform(verifying(VerifyMode::uniform));
    EXPECT_EQ(uniform.launches(OpKind::verify_csr), 5);
    EXPECT_EQ(uniform.launches(OpKind::indptr), -1);
    EXPECT_EQ(uniform.launches(OpKind::token_stream), 1);
    const StepRig ragged(verifying(VerifyMode::ragged));
    EXPECT_EQ(ragged.launches(OpKind::verify_csr), 6);
    StepSpec spec = verifying(VerifyMode::uniform);
    spec.indptr = LaunchForm::fused;
    EXPECT_EQ(StepRig(spec).launches(OpKind::verify_csr), 3);
}

TEST(DraftedStep, P18PaddedLanesWithDraftsReadTheSinkAndLeaveLiveLanesAlone) {
    StepSpec spec = test::small_step(); // 3 lanes run in a bucket of 4
    spec.delta = 2;
    const StepRig padded(spec);
    spec.max_batch = 3;
    const StepRig exact(spec);
    padded.run();
    exact.run();
    EXPECT_EQ(
        test::stream_ids(padded, BufferId::stream, 66),
        test::stream_ids(exact, BufferId::stream, 66)
    );
    EXPECT_THAT(
        padded.values<std::int32_t>(BufferId::indptr, 5), testing::ElementsAre(0, 22, 44, 66, 69)
    );
    EXPECT_THAT(test::stream_ids(padded, BufferId::stream, 3, 66), testing::Each(0));
}

void expect_reference_stream(const StepRig& rig) {
    const Ids expected = reference::token_stream(test::read_inputs(rig), {});
    const auto count = static_cast<std::int64_t>(expected.size());
    EXPECT_EQ(test::stream_ids(rig, BufferId::stream, count), expected);
}

// A replay reads lengths that were moved since: what is recorded holds none of them.
TEST(DraftedStep, P5AReplayAfterLengthsMovedIsAsAFreshStep) {
    StepSpec spec = test::small_step();
    spec.churn = 0.25;
    const StepRig rig(spec);
    for (std::int64_t step = 1; step <= 6; ++step) {
        rig.run();
        expect_reference_stream(rig);
    }
}

TEST(DraftedStep, P5EveryReplayWithDraftsIsAsTheFirst) {
    for (const std::int64_t delta : {1, 2, 5}) {
        for (const VerifyMode mode : {VerifyMode::off, VerifyMode::uniform, VerifyMode::ragged}) {
            StepSpec spec = test::small_step();
            spec.delta = delta;
            spec.verify = mode;
            const StepRig rig(spec);
            for (int replay = 0; replay < 3; ++replay) {
                rig.run();
                expect_reference_stream(rig);
            }
        }
    }
}

} // namespace
