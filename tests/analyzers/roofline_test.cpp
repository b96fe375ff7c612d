#include "analyzers/roofline.h"

#include "analyzers/figures.h"
#include "analyzers/roofline_sections.h"
#include "tests/analyzers/table_rows.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kMiB = 1024 * 1024;

Ceilings ceilings() {
    return {
        .device_uuid = "GPU-1",
        .driver = "580.1",
        .measured_at = "2026-01-02T03:04:05Z",
        .node_ns = 740.0,
        .copies = {
            {CeilingKind::l2, Bytes{2 * kMiB}, 2.5e12},
            {CeilingKind::l2, Bytes{16 * kMiB}, 6.0e12},
            {CeilingKind::hbm, Bytes{256 * kMiB}, 4.0e12},
            {CeilingKind::hbm, Bytes{1024 * kMiB}, 4.2e12}}};
}

/// A replay of 20 launches of the token stream alone takes 100 us: 5 us each, with 12.6 MB each.
kvprof::Run op_alone() {
    kvprof::Run run = test::step_run(IndexMode::stream, {100, 100, 100});
    run.measure.op = "token-stream";
    run.measure.op_launches = 20;
    run.measure.l2 = L2Mode::warm;
    run.ops.front().launches = 20;
    run.ops.front().least_bytes = Bytes{20 * 12'600'000};
    run.ceilings = ceilings();
    return run;
}

/// The traced step of both ops, whose page table moves 8.4 MB.
kvprof::Run traced() {
    kvprof::Run run = test::traced_run();
    run.ops[0].least_bytes = Bytes{1024};
    run.ops[1].least_bytes = Bytes{8'400'000};
    run.ceilings = ceilings();
    return run;
}

TEST(FloorOf, IsTheTimeOfTheNodesWhereBytesAreFew) {
    EXPECT_EQ(floor_of(ceilings(), 3.0, 1000.0, false), (Floor{CeilingKind::node, 2220.0}));
}

TEST(FloorOf, TakesTheHighestBandwidthOfMemory) {
    const auto floor = floor_of(ceilings(), 1.0, 42e6, false);
    EXPECT_EQ(floor->bound, CeilingKind::hbm);
    EXPECT_DOUBLE_EQ(floor->ns, 10'000.0); // 42 MB at 4.2 TB/s, not at 4.0
}

TEST(FloorOf, TakesTheCopyWithinL2ThatIsNearestInSize) {
    // 5 MB are nearer to the 4 MiB that the small copy moves, 30 MB to the 32 MiB of the large one.
    const auto small = floor_of(ceilings(), 1.0, 5e6, true);
    EXPECT_EQ(small->bound, CeilingKind::l2);
    EXPECT_DOUBLE_EQ(small->ns, 2000.0);
    EXPECT_DOUBLE_EQ(floor_of(ceilings(), 1.0, 30e6, true)->ns, 5000.0);
}

TEST(FloorOf, GoesByTheSizeOfOneLaunchOfSeveral) {
    // Together 30 MB, 3 MB each: the small copy's bandwidth.
    EXPECT_DOUBLE_EQ(floor_of(ceilings(), 10.0, 30e6, true)->ns, 12'000.0);
}

TEST(FloorOf, GoesToMemoryForMoreThanL2WasSeenToHold) {
    EXPECT_EQ(floor_of(ceilings(), 1.0, 34e6, true)->bound, CeilingKind::hbm);
}

TEST(FloorOf, IsNoneOfNothing) {
    EXPECT_FALSE(floor_of(ceilings(), 0.0, 0.0, true).has_value());
    EXPECT_FALSE(floor_of(Ceilings{}, 1.0, 1000.0, true).has_value()); // no ceiling is known
}

TEST(Roofline, OfAnOpAloneIsOfOneLaunchAndItsUntracedTime) {
    const Roofline roofline = roofline_of(op_alone());
    EXPECT_TRUE(roofline.is_alone);
    EXPECT_EQ(roofline.why_no_floor, "");
    ASSERT_EQ(roofline.rows.size(), 1U);
    const RooflineRow& row = roofline.rows.front();
    EXPECT_DOUBLE_EQ(row.launches, 1.0);
    EXPECT_DOUBLE_EQ(*row.bytes, 12.6e6);
    EXPECT_DOUBLE_EQ(*row.time_ns, 5000.0);
    EXPECT_EQ(row.floor, (Floor{CeilingKind::l2, 12.6e6 / 6.0e12 * 1e9})); // 2.1 us
    EXPECT_DOUBLE_EQ(*row.over_floor, 5000.0 / 2100.0);
    EXPECT_DOUBLE_EQ(*over_floor(op_alone()), 5000.0 / 2100.0);
}

TEST(Roofline, OfOneColdLaunchIsThatOfMemory) {
    kvprof::Run run = op_alone();
    run.measure.op_launches = 1;
    run.ops.front() = {
        OpKind::token_stream, Stage::metadata, Placement::in, 1, 0, Bytes{12'600'000}};
    run.measure.l2 = L2Mode::flush;
    EXPECT_EQ(roofline_of(run).rows.front().floor->bound, CeilingKind::hbm);
    run.measure.op_launches = 2; // the second launch finds what the first one read
    run.ops.front().launches = 2;
    EXPECT_EQ(roofline_of(run).rows.front().floor->bound, CeilingKind::l2);
}

TEST(Roofline, OfAStepTakesTracedTimesAndTheMeanOfACycle) {
    kvprof::Run run = traced();
    run.measure.l2 = L2Mode::flush;
    const Roofline roofline = roofline_of(run);
    EXPECT_FALSE(roofline.is_alone);
    ASSERT_EQ(roofline.rows.size(), 2U);
    EXPECT_DOUBLE_EQ(roofline.rows[0].launches, 2.0); // a kernel and a copy
    EXPECT_DOUBLE_EQ(roofline.rows[0].floor->ns, 1480.0);
    EXPECT_DOUBLE_EQ(roofline.rows[1].floor->ns, 2000.0); // 8.4 MB at 4.2 TB/s
    ASSERT_TRUE(roofline.rows[1].time_ns.has_value());
    EXPECT_DOUBLE_EQ(*roofline.rows[1].over_floor, *roofline.rows[1].time_ns / 2000.0);
    EXPECT_FALSE(over_floor(run).has_value()); // no one figure
    run.cycle_steps = 2;
    EXPECT_DOUBLE_EQ(*roofline_of(run).rows[1].bytes, 4.2e6);
}

TEST(Roofline, SaysWhyThereAreNoFloors) {
    kvprof::Run run = op_alone();
    run.ceilings.reset();
    EXPECT_THAT(roofline_of(run).why_no_floor, HasSubstr("no ceilings of this device and driver"));
    EXPECT_TRUE(roofline_of(run).rows.front().bytes.has_value());
    EXPECT_FALSE(roofline_of(run).rows.front().floor.has_value());
    run.environment.executor = "host";
    EXPECT_THAT(roofline_of(run).why_no_floor, HasSubstr("host times have no ceilings"));
    run.ops.front().least_bytes.reset();
    EXPECT_THAT(roofline_of(run).why_no_floor, HasSubstr("does not say what its ops have to move"));
    run.status.state = RunState::invalid;
    EXPECT_THAT(roofline_of(run).rows, IsEmpty());
}

TEST(Roofline, KnowsNoBytesOfAnOpThatHasAPartWithout) {
    kvprof::Run run = traced();
    run.ops.push_back(run.ops[1]);
    run.ops.back().stage = Stage::write;
    run.ops.back().least_bytes.reset();
    EXPECT_FALSE(roofline_of(run).rows[1].bytes.has_value());
    EXPECT_TRUE(roofline_of(run).rows[0].bytes.has_value());
}

TEST(RooflineDeltas, HaveBothSidesAndOpsOfOneAlone) {
    kvprof::Run rectangle = op_alone();
    rectangle.ops.front().op = OpKind::page_table;
    kvprof::Run faster = op_alone();
    for (Sample& sample : faster.samples) {
        sample.gpu_time /= 2;
    }
    const auto deltas = roofline_deltas({op_alone(), rectangle}, {faster});
    ASSERT_EQ(deltas.size(), 2U);
    EXPECT_EQ(deltas[0].op, OpKind::token_stream);
    EXPECT_DOUBLE_EQ(*deltas[0].base_over_floor, 5000.0 / 2100.0);
    EXPECT_DOUBLE_EQ(*deltas[0].candidate_over_floor, 2500.0 / 2100.0);
    EXPECT_EQ(deltas[1].op, OpKind::page_table);
    EXPECT_FALSE(deltas[1].candidate_bytes.has_value());
    EXPECT_THAT(roofline_deltas({test::traced_run()}, {test::traced_run()}), IsEmpty());
}

TEST(RooflineSection, ShowsFloorBoundAndRatio) {
    const Section section = roofline_section(op_alone());
    EXPECT_EQ(section.title, "roofline");
    EXPECT_THAT(
        test::table_rows(*section.table),
        ElementsAre("token-stream | in | 1 | 12.0 MiB | 2.10 us | L2 | 5.00 us | 2.38")
    );
    EXPECT_THAT(
        section.lines,
        ElementsAre(
            "of one launch of the op; its time is the timing pass's",
            "ceilings of 2026-01-02T03:04:05Z: node 0.74 us, L2 2.50 TB/s (2.0 MiB), L2 6.00 TB/s "
            "(16.0 MiB), memory 4.00 TB/s (256.0 MiB), memory 4.20 TB/s (1.00 GiB)"
        )
    );
}

TEST(RooflineSection, IsEmptyOfARunOfAnOlderProgram) {
    EXPECT_TRUE(roofline_section(test::traced_run()).empty());
    EXPECT_TRUE(roofline_delta_section({test::traced_run()}, {test::traced_run()}).empty());
}

TEST(RooflineSection, ComparesTheRatiosOfTwoSides) {
    const Section section = roofline_delta_section({op_alone()}, {op_alone()});
    EXPECT_THAT(
        test::table_rows(*section.table),
        ElementsAre("token-stream | in | 12.0 MiB | 12.0 MiB | 2.10 us | 2.10 us | 2.38 | 2.38")
    );
}

TEST(RunTable, HasTheRatioOfOpsThatRanAlone) {
    const auto titles = [](const std::vector<kvprof::Run>& runs) {
        std::vector<std::string> names;
        const Table table = run_table(runs);
        for (const Column& column : table.columns()) {
            names.push_back(column.title);
        }
        return names;
    };
    EXPECT_THAT(titles({op_alone()}), Contains("over floor"));
    EXPECT_THAT(titles({traced()}), testing::Not(Contains("over floor")));
    EXPECT_THAT(test::table_rows(run_table({op_alone()})).front(), HasSubstr("] | 2.38 | "));
}

TEST(CeilingsSection, HasARowACeiling) {
    EXPECT_THAT(
        test::table_rows(*ceilings_section({ceilings()}).table),
        testing::ElementsAre(
            "GPU-1 | 580.1 | 2026-01-02T03:04:05Z | L2 | 2.0 MiB | 2.50 TB/s",
            "GPU-1 | 580.1 | 2026-01-02T03:04:05Z | L2 | 16.0 MiB | 6.00 TB/s",
            "GPU-1 | 580.1 | 2026-01-02T03:04:05Z | memory | 256.0 MiB | 4.00 TB/s",
            "GPU-1 | 580.1 | 2026-01-02T03:04:05Z | memory | 1.00 GiB | 4.20 TB/s",
            "GPU-1 | 580.1 | 2026-01-02T03:04:05Z | node of a graph | - | 0.74 us"
        )
    );
}

} // namespace
} // namespace kvprof::analyzers
