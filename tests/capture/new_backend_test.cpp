#include "capture/model/error.h"
#include "capture/verify.h"
#include "capture/workload/graph_model.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

/// A backend that is one file, tests/data/backends/strided.toml, through plan, executor and check.
namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using testing::HasSubstr;

StepSpec strided(PoolKind pool, HistoryStage stage) {
    StepSpec spec = small_step();
    spec.preset = "tiny-gqa";
    spec.attention_backend = std::string(KVPROF_TESTS_DIR) + "/data/backends/strided.toml";
    spec.page_size = 4;
    spec.pool = pool;
    spec.stage = stage;
    return spec;
}

TEST(NewBackend, IsVerifiedOnBothPoolsAtEveryStage) {
    for (const auto& [pool, pool_name] : EnumNames<PoolKind>::values) {
        for (const auto& [stage, stage_name] : EnumNames<HistoryStage>::values) {
            const StepRig rig(strided(pool, stage));
            const Check check = verify(*rig.step, rig.plan, rig.state);
            EXPECT_LT(check.attention_error.value_or(1.0), 5e-3) << pool_name << stage_name;
        }
    }
}

TEST(NewBackend, HasTheLaunchesOfItsFile) {
    const StepRig rig(strided(PoolKind::unified, HistoryStage::after_fused_write));
    EXPECT_EQ(rig.index_launches(), 3); // lengths, table, write locations
    EXPECT_EQ(rig.launches(OpKind::page_table), 1);
}

TEST(NewBackend, HasTheBytesOfItsFileInLedgerAndModel) {
    const StepRig rig(strided(PoolKind::unified, HistoryStage::before));
    // 8 lanes; (256 + 4) / 4 pages a row of its own, 64 of the rectangle; 4 query heads
    const std::map<std::string, std::int64_t> wanted{
        {"lens32", 32},
        {"block_table", 4 * 8 * 65},
        {"workspace", 64 * 8 * 4 + 4096},
        {"table", 4 * 8 * 64}};
    std::map<std::string, std::int64_t> ledger;
    for (const MemoryStat& stat : workload::ledger_of(rig.plan)) {
        if (stat.group == "graph") {
            ledger[stat.name] = stat.bytes.count;
        }
    }
    std::map<std::string, std::int64_t> model;
    for (const MemoryStat& term : workload::graph_model(rig.plan)) {
        model[term.name] = term.bytes.count;
    }
    EXPECT_EQ(ledger, wanted);
    EXPECT_EQ(model, wanted);
}

TEST(NewBackend, KeepsWhatItsTableIsFilledWithPastTheLivePages) {
    const StepRig rig(strided(PoolKind::unified, HistoryStage::after_fused_write));
    rig.run();
    // 20 tokens of the first lane are 5 pages of 4
    const auto row = rig.values<std::int32_t>(workload::BufferId::block_table, 6);
    EXPECT_NE(row[4], 7);
    EXPECT_EQ(row[5], 7);
}

TEST(NewBackend, RefusesByTheRulesOfItsFile) {
    StepSpec spec = strided(PoolKind::unified, HistoryStage::before);
    spec.page_size = 64;
    try {
        static_cast<void>(workload::plan_step(spec, {}));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("rule page-size: strided takes pages of 4, 16 tokens"));
    }
}

} // namespace
