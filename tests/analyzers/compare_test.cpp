#include "analyzers/compare.h"

#include "analyzers/figures.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Delta row_of(const Comparison& comparison, const std::string& id) {
    for (const Delta& row : comparison.deltas) {
        if (row.id == id) {
            return row;
        }
    }
    throw std::runtime_error("no row " + id);
}

/// The index mode is what is compared.
CompareOptions of_modes() {
    CompareOptions how;
    how.treatment = {"index-mode"};
    return how;
}

Comparison compare_runs(const kvprof::Run& base, const kvprof::Run& candidate) {
    return compare(side_of("base", {base}), side_of("candidate", {candidate}), of_modes());
}

Comparison rectangle_to_stream() {
    return compare_runs(step_run(IndexMode::rectangle, {9, 8}), step_run(IndexMode::stream, {3}));
}

TEST(Compare, ListsTheFieldsThatChange) {
    EXPECT_THAT(
        rectangle_to_stream().spec_changes,
        ElementsAre(SpecChange{"index-mode", "rectangle", "stream"})
    );
}

TEST(Compare, JudgesAnExactMetricByEquality) {
    const Delta fewer = row_of(rectangle_to_stream(), "graph.nodes");
    EXPECT_EQ(fewer.verdict, Verdict::improved);
    EXPECT_EQ(fewer.difference, -1.0);
    EXPECT_EQ(fewer.ratio, 0.5);
    EXPECT_EQ(fewer.reason, "exact");

    const kvprof::Run run = step_run(IndexMode::stream, {3});
    EXPECT_EQ(row_of(compare_runs(run, run), "graph.nodes").verdict, Verdict::same);

    const Comparison back =
        compare_runs(step_run(IndexMode::stream, {3}), step_run(IndexMode::rectangle, {9}));
    EXPECT_EQ(row_of(back, "ledger.graph.bytes").verdict, Verdict::regressed);
    EXPECT_EQ(row_of(back, "ledger.graph.bytes").difference, 1073741824.0);
    EXPECT_EQ(back.verdict, Verdict::regressed);
}

TEST(Compare, CountsAnAbsentOpOrBufferAsZero) {
    const Delta gone = row_of(rectangle_to_stream(), "op.repack.launches");
    EXPECT_THAT(gone.base.values, ElementsAre(1.0));
    EXPECT_THAT(gone.candidate.values, ElementsAre(0.0));
    const Delta appeared = row_of(rectangle_to_stream(), "op.token-stream.launches");
    EXPECT_EQ(appeared.difference, 1.0);
    EXPECT_EQ(appeared.ratio, std::nullopt);
}

TEST(Compare, DoesNotJudgeWhatExplains) {
    const Delta row = row_of(rectangle_to_stream(), "op.repack.launches");
    EXPECT_EQ(row.verdict, std::nullopt);
    EXPECT_EQ(row.reason, "exact; explains, not judged");
    EXPECT_EQ(row_of(rectangle_to_stream(), "ledger.stream.bytes").verdict, Verdict::same);
}

TEST(Compare, FindsExactMetricsThatDisagreeWithinASide) {
    kvprof::Run other = step_run(IndexMode::rectangle, {9});
    other.graph_nodes = 3;
    const Comparison comparison = compare(
        side_of("base", {step_run(IndexMode::rectangle, {9}), other}),
        side_of("candidate", {step_run(IndexMode::stream, {3})}),
        of_modes()
    );
    const Delta row = row_of(comparison, "graph.nodes");
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "nondeterministic: 2, 3");
    EXPECT_THAT(row.base.values, ElementsAre(2.0, 3.0));
}

TEST(Compare, TakesTheMedianOfARunsSamplesAsItsValue) {
    const Comparison comparison = compare(
        side_of(
            "base",
            {step_run(IndexMode::rectangle, {9, 8, 90}), step_run(IndexMode::rectangle, {7})}
        ),
        side_of("candidate", {step_run(IndexMode::stream, {4})}),
        of_modes()
    );
    const Delta row = row_of(comparison, "step.gpu_time");
    EXPECT_THAT(row.base.values, ElementsAre(9000.0, 7000.0));
    EXPECT_EQ(row.base.summary->median, 8000.0);
    EXPECT_EQ(row.ratio, 0.5);
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "too-few-runs");
}

TEST(Compare, DoesNotSayTooFewOfManyRuns) {
    const std::vector<kvprof::Run> base(4, step_run(IndexMode::rectangle, {9}));
    const std::vector<kvprof::Run> candidate(4, step_run(IndexMode::stream, {4}));
    const Comparison comparison = compare(side_of("a", base), side_of("b", candidate), of_modes());
    EXPECT_EQ(row_of(comparison, "step.gpu_time").verdict, Verdict::improved);
    EXPECT_EQ(row_of(comparison, "step.gpu_time").reason, "");
}

TEST(Compare, DoesNotTakeAnEqualDeviceFreeForSameness) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.memory.push_back({"step", MemorySource::device_free, "device", Bytes{5}});
    const Delta row = row_of(compare_runs(run, run), "device_free.step.bytes");
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "source-cannot-prove-zero");
}

TEST(Compare, ShowsGrowthFromNothingAsGrowth) {
    kvprof::Run base = step_run(IndexMode::stream, {3});
    kvprof::Run candidate = base;
    base.memory.push_back({"step", MemorySource::device_free, "device", Bytes{0}});
    candidate.memory.push_back({"step", MemorySource::device_free, "device", Bytes{5}});
    const Delta row = row_of(compare_runs(base, candidate), "device_free.step.bytes");
    EXPECT_EQ(row.metric->better, Direction::lower);
    EXPECT_EQ(row.reason, "source-cannot-prove-zero"); // below the 2 MiB that it moves by
    EXPECT_THAT(change_cell(row), HasSubstr("+5 B"));  // a buffer would be "new"
}

TEST(Compare, SaysThatACachedBlockMayHideAChange) {
    kvprof::Run base = step_run(IndexMode::rectangle, {9});
    kvprof::Run candidate = step_run(IndexMode::stream, {3});
    for (kvprof::Run* run : {&base, &candidate}) {
        run->memory.push_back({"step", MemorySource::device_free, "device", Bytes{5}});
    }
    EXPECT_THAT(
        compare_runs(base, candidate).not_measured, Contains(HasSubstr("from a cached block"))
    );
}

TEST(Compare, RefusesTwoExecutorsAndShowsTheFiguresOfBoth) {
    kvprof::Run host = step_run(IndexMode::stream, {900});
    host.environment.executor = "host";
    const Comparison comparison = compare_runs(step_run(IndexMode::stream, {3}), host);
    EXPECT_EQ(comparison.verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "step.gpu_time").verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "step.gpu_time").reason, "executor");
    EXPECT_FALSE(row_of(comparison, "step.gpu_time").test.has_value());
    EXPECT_EQ(row_of(comparison, "graph.nodes").verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "graph.nodes").difference, 0.0);
}

TEST(Compare, RefusesAnUndeclaredChangeOfTheStep) {
    const Comparison comparison = compare(
        side_of("a", {step_run(IndexMode::rectangle, {9})}),
        side_of("b", {step_run(IndexMode::stream, {4})})
    );
    EXPECT_EQ(comparison.verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "graph.nodes").reason, "index-mode");
    EXPECT_EQ(row_of(comparison, "graph.nodes").difference, -1.0);
    EXPECT_EQ(exit_code_of(comparison), ExitCode::not_comparable);
}

TEST(Compare, RefusesEverythingOfTwoPools) {
    kvprof::Run other = step_run(IndexMode::stream, {3});
    other.pool.schedulable_tokens = 5;
    const kvprof::Run run = step_run(IndexMode::stream, {3});
    const Comparison comparison = compare_runs(run, other);
    EXPECT_EQ(comparison.verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "graph.nodes").verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "graph.nodes").reason, "pool.schedulable-tokens");
    CompareOptions how;
    how.allowed_mismatch = {"pool.schedulable-tokens"};
    const Comparison allowed = compare(side_of("a", {run}), side_of("b", {other}), how);
    EXPECT_EQ(row_of(allowed, "graph.nodes").verdict, Verdict::same);
    EXPECT_THAT(
        allowed.stamps, Contains("compared although pool.schedulable-tokens differs: 1048576 -> 5")
    );
}

TEST(Compare, SaysWhichSideHasNoValue) {
    kvprof::Run untimed = step_run(IndexMode::stream, {});
    const Comparison comparison = compare_runs(step_run(IndexMode::stream, {3}), untimed);
    EXPECT_EQ(row_of(comparison, "step.gpu_time").verdict, Verdict::not_comparable);
    EXPECT_EQ(row_of(comparison, "step.gpu_time").reason, "the candidate has no value");
}

TEST(Compare, CarriesNotesAndExcludedRuns) {
    kvprof::Run noted = step_run(IndexMode::stream, {3});
    noted.notes = {"not-steady: 2.4 % after 10 s"};
    kvprof::Run lost = step_run(IndexMode::stream, {});
    lost.status = {RunState::interrupted, "Ctrl-C", 130};
    const Comparison comparison = compare(side_of("a", {noted, lost}), side_of("b", {noted}));
    EXPECT_THAT(
        comparison.notes,
        ElementsAre(
            "base: left out a run that is interrupted: Ctrl-C",
            "base run 1: not-steady: 2.4 % after 10 s",
            "candidate run 1: not-steady: 2.4 % after 10 s"
        )
    );
}

TEST(Compare, AlwaysSaysWhatWasNotDecided) {
    EXPECT_THAT(
        rectangle_to_stream().not_measured,
        Contains("whether step.gpu_time, step.wall_time changed: too-few-runs")
    );
}

TEST(ExitCode, FollowsTheRows) {
    const kvprof::Run run = step_run(IndexMode::stream, {3});
    kvprof::Run slower = step_run(IndexMode::stream, {900});
    kvprof::Run elsewhere = run;
    elsewhere.environment.device_uuid = "GPU-2";
    EXPECT_EQ(exit_code_of(compare_runs(run, run)), ExitCode::done);
    EXPECT_EQ(exit_code_of(compare_runs(run, slower)), ExitCode::done);
    EXPECT_EQ(exit_code_of(rectangle_to_stream()), ExitCode::difference);
    EXPECT_EQ(exit_code_of(compare_runs(run, elsewhere)), ExitCode::not_comparable);
}

TEST(Compare, HowAStepWasWatchedIsNoTreatmentOfIt) {
    kvprof::Run candidate = step_run(IndexMode::stream, {3});
    candidate.measure.passes = "timing";
    candidate.measure.trace_steps = 7;
    candidate.measure.keep_events = 0;
    EXPECT_TRUE(compare_runs(step_run(IndexMode::stream, {3}), candidate).spec_changes.empty());
}

/// A run with a nodes pass in which `op` took 1 us a step.
kvprof::Run traced(IndexMode mode, OpKind op) {
    kvprof::Run run = step_run(mode, {9, 8});
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = 1;
    nodes.batches = {{0, 1, std::chrono::microseconds(9), std::chrono::microseconds(9), {}}};
    run.passes = {nodes};
    run.step_records = {{0, 0, 1, std::chrono::microseconds(1), {}, {}, {}}};
    run.op_samples = {{0, op, Placement::out, 1, std::chrono::microseconds(1)}};
    return run;
}

TEST(Compare, AStepWithoutAnOpSpendsNoTimeOnIt) {
    const Comparison comparison = compare_runs(
        traced(IndexMode::rectangle, OpKind::repack),
        traced(IndexMode::stream, OpKind::token_stream)
    );
    EXPECT_EQ(row_of(comparison, "op.repack.time").difference, -1000.0);
    EXPECT_EQ(row_of(comparison, "op.token-stream.time").difference, 1000.0);
    EXPECT_FALSE(row_of(comparison, "op.repack.time").verdict.has_value());
}

/// Of a base whose eight blocks of repack all had work.
Comparison repack_to_token_stream() {
    kvprof::Run base = traced(IndexMode::rectangle, OpKind::repack);
    base.kernels = {{.op = OpKind::repack, .launches = 1, .blocks = 8, .blocks_with_work = 8}};
    return compare_runs(base, traced(IndexMode::stream, OpKind::token_stream));
}

TEST(Compare, AnAbsentOpHasNoShareOfLiveBlocks) {
    const Comparison comparison = repack_to_token_stream();
    EXPECT_EQ(row_of(comparison, "op.repack.blocks").difference, -8.0);
    const Delta row = row_of(comparison, "op.repack.live_fraction");
    EXPECT_FALSE(row.candidate.summary.has_value());
    EXPECT_FALSE(row.difference.has_value());
    EXPECT_FALSE(row.verdict.has_value());
    EXPECT_EQ(row.reason, "the candidate has no value");
    EXPECT_EQ(change_cell(row), "-");
}

TEST(ShownRows, PutWhatExplainsApart) {
    const Comparison comparison = repack_to_token_stream();
    const ShownRows rows = shown_rows(comparison);
    const auto is_judged = [](const Delta* row) { return row->verdict.has_value(); };
    EXPECT_TRUE(std::all_of(rows.judged.begin(), rows.judged.end(), is_judged));
    EXPECT_TRUE(std::none_of(rows.explaining.begin(), rows.explaining.end(), is_judged));
    EXPECT_THAT(
        rows.explaining,
        Contains(testing::Pointee(testing::Field(&Delta::id, "op.repack.live_fraction")))
    );
    EXPECT_EQ(
        rows.primary.size() + rows.judged.size() + rows.explaining.size() + rows.left_out,
        comparison.deltas.size()
    );
}

TEST(Compare, LeavesOutWhatOneSideDidNotObserve) {
    const Comparison comparison = compare_runs(
        traced(IndexMode::rectangle, OpKind::repack), step_run(IndexMode::stream, {3})
    );
    EXPECT_THROW(static_cast<void>(row_of(comparison, "op.repack.time")), std::runtime_error);
    EXPECT_THROW(static_cast<void>(row_of(comparison, "step.traced_time")), std::runtime_error);
    EXPECT_EQ(exit_code_of(comparison), ExitCode::difference); // of counts; not 4
}

} // namespace
} // namespace kvprof::analyzers
