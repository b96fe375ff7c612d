#include "capture/workload/translator.h"

#include "capture/model/error.h"
#include "capture/workload/plan_buffers.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using namespace kvprof::workload;

/// Lowers over imagined buffers: what is launched shows, and nothing runs.
class Lowering {
  public:
    explicit Lowering(const StepSpec& spec, const MeasureSpec& how = {})
        : plan_(plan_step(spec, how)),
          places_(imagined_places(plan_)),
          views_{plan_, places_},
          translator(views_) {}

    [[nodiscard]] Emitter out() {
        return {commands, OpKind::token_stream, Stage::metadata, Placement::out};
    }

    void lower_ops() {
        for (const PlannedOp& op : plan_.ops) {
            lower_op(views_, op, 0, commands);
        }
    }

    [[nodiscard]] Fill stream() {
        Emitter emitter = out();
        return translator.fill_stream(stream_target(views_, StateKind::full), emitter);
    }

    [[nodiscard]] Fill table() {
        Emitter emitter = out();
        return translator.fill_table(own_table(views_, StateKind::full), emitter);
    }

    template<typename Call>
    [[nodiscard]] bool launches(std::size_t index) const {
        const auto* const call = std::get_if<kernels::KernelCall>(&commands.at(index).action);
        return call != nullptr && std::holds_alternative<Call>(*call);
    }

  private:
    StepPlan plan_;
    BufferTable places_;
    Views views_;

  public:
    Translator translator;
    Commands commands;
};

StepSpec spec_of(PoolKind pool, std::int64_t dcp) {
    StepSpec spec = test::small_step();
    spec.pool = pool;
    spec.dcp = dcp;
    return spec;
}

TEST(Translator, P19FillsAStaticPoolsReadersVerbatim) {
    Lowering lowering(spec_of(PoolKind::statik, 1));
    EXPECT_TRUE(lowering.translator.reads_are_translated());
    EXPECT_EQ(lowering.stream(), Fill::verbatim);
    EXPECT_EQ(lowering.table(), Fill::verbatim);
    EXPECT_TRUE(lowering.launches<kernels::StaticGatherCall>(0));
    EXPECT_TRUE(lowering.launches<kernels::StaticBlockTableCall>(1));
}

TEST(Translator, TranslatesAUnifiedPoolsReadersInOneLaunchEach) {
    Lowering lowering(spec_of(PoolKind::unified, 1));
    EXPECT_EQ(lowering.stream(), Fill::translated);
    EXPECT_EQ(lowering.table(), Fill::translated);
    EXPECT_TRUE(lowering.launches<kernels::TokenStreamCall>(0));
    EXPECT_TRUE(lowering.launches<kernels::PageTableCall>(1));
    EXPECT_EQ(lowering.commands.size(), 2U);
}

TEST(Translator, ListsIdsAsTheyAreForAStaticOpThatRunsAloneOnAUnifiedPool) {
    MeasureSpec how;
    how.op = "static-gather";
    Lowering gather(spec_of(PoolKind::unified, 1), how);
    gather.lower_ops();
    EXPECT_TRUE(gather.launches<kernels::StaticGatherCall>(0));
    how.op = "static-block-table";
    Lowering table(spec_of(PoolKind::unified, 1), how);
    table.lower_ops();
    EXPECT_TRUE(table.launches<kernels::StaticBlockTableCall>(0));
}

// A reader whose table was filled with nothing read an empty one under context parallelism, in the
// engine at #37512. Here the table is refused by name and the stream says what it is.
TEST(Translator, P17RefusesATableByNameWhileReadsAreDeferred) {
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        Lowering lowering(spec_of(pool, 4));
        EXPECT_FALSE(lowering.translator.reads_are_translated());
        try {
            static_cast<void>(lowering.table());
            FAIL() << "a table was filled under --dcp 4";
        } catch (const UnavailableError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("page table of flashinfer_mla"));
            EXPECT_THAT(error.what(), testing::HasSubstr("--dcp 4"));
            EXPECT_THAT(error.hint(), testing::HasSubstr("stream"));
        }
        EXPECT_TRUE(lowering.commands.empty());
    }
}

TEST(Translator, P17SaysThatAStreamIsDeferredAndTranslatesItAfterTheGather) {
    Lowering unified(spec_of(PoolKind::unified, 2));
    EXPECT_EQ(unified.stream(), Fill::deferred);
    ASSERT_EQ(unified.commands.size(), 2U);
    EXPECT_TRUE(unified.launches<kernels::DcpGatherCall>(0));
    EXPECT_TRUE(unified.launches<kernels::StreamTranslateCall>(1));
    Lowering fixed(spec_of(PoolKind::statik, 2));
    EXPECT_EQ(fixed.stream(), Fill::deferred);
    ASSERT_EQ(fixed.commands.size(), 1U);
    EXPECT_TRUE(fixed.launches<kernels::DcpGatherCall>(0));
}

} // namespace
