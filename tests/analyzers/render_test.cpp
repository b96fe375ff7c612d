#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_run_markdown.h"
#include "analyzers/render_text.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace kvprof::analyzers {
namespace {

using test::expect_golden;
using test::step_run;
using testing::HasSubstr;

CompareOptions index_mode_declared() {
    CompareOptions how;
    how.treatment = {"index-mode"};
    return how;
}

Comparison rectangle_to_stream() {
    return compare(
        side_of("@latest/index-mode=rectangle", {step_run(IndexMode::rectangle, {9, 8, 9})}),
        side_of("@latest/index-mode=stream", {step_run(IndexMode::stream, {3, 3, 4})}),
        index_mode_declared()
    );
}

/// Of runs whose steps were traced: the candidate has token-stream in place of page-table.
Comparison traced_rectangle_to_stream() {
    kvprof::Run stream = test::traced_run();
    stream.step.index_mode = IndexMode::stream;
    for (auto& sample : stream.op_samples) {
        sample.op = sample.op == OpKind::page_table ? OpKind::token_stream : sample.op;
    }
    for (auto& kernel : stream.kernels) {
        kernel.op = kernel.op == OpKind::page_table ? OpKind::token_stream : kernel.op;
        kernel.blocks_with_work.reset();
    }
    stream.ops[1].op = OpKind::token_stream;
    return compare(
        side_of("a", {test::traced_run()}), side_of("b", {stream}), index_mode_declared()
    );
}

Comparison cuda_to_host() {
    kvprof::Run host = step_run(IndexMode::stream, {900});
    host.environment.executor = "host";
    host.measure.executor = ExecutorKind::host;
    host.environment.build = "0.2.0";
    host.notes = {"not-steady: 2.4 % after 10 s"};
    return compare(side_of("a", {step_run(IndexMode::stream, {3})}), side_of("b", {host}));
}

kvprof::Run at_batch(kvprof::Run run, std::int64_t batch) {
    run.step.batch = batch;
    return run;
}

PairedComparison matrix() {
    kvprof::Run lost = at_batch(step_run(IndexMode::stream, {}), 256);
    lost.status = {RunState::not_run, "needs 3.00 GiB, 2.00 GiB are free", 5};
    return compare_pairs(pair_by(
        "index-mode",
        {at_batch(step_run(IndexMode::rectangle, {9}), 8),
         at_batch(step_run(IndexMode::stream, {3}), 8),
         at_batch(step_run(IndexMode::rectangle, {12}), 64),
         at_batch(step_run(IndexMode::stream, {6}), 64),
         at_batch(step_run(IndexMode::rectangle, {30}), 256),
         lost}
    ));
}

Experiment experiment() {
    Experiment experiment;
    experiment.uuid = test::uuid_of('e');
    experiment.label = "demo";
    experiment.command_line = "kvprof run --vary index-mode=rectangle,stream";
    experiment.started_at = "2026-01-02T03:04:00Z";
    experiment.state = ExperimentState::complete;
    experiment.runs = {
        step_run(IndexMode::rectangle, {9, 8, 9}),
        step_run(IndexMode::stream, {3, 3, 4}),
        step_run(IndexMode::stream, {})};
    experiment.runs[1].samples[2].discarded = "interrupted";
    experiment.runs[2].status = {RunState::not_run, "needs 3.00 GiB, 2.00 GiB are free", 5};
    experiment.runs[2].uuid = test::uuid_of('3');
    experiment.runs[2].check = {};
    return experiment;
}

std::vector<ListingRow> listing() {
    return {
        {.uuid = test::uuid_of('e'),
         .started_at = "2026-01-02T03:04:00Z",
         .label = "demo",
         .command_line = "kvprof run --vary index-mode=rectangle,stream",
         .state = ExperimentState::complete,
         .kind = ExperimentKind::ab,
         .runs = 3,
         .complete_runs = 2,
         .void_runs = 1,
         .variants = 2,
         .tags = {"baseline/main", "pr"}},
        {.uuid = test::uuid_of('d'),
         .started_at = "2026-01-01T03:04:00Z",
         .label = "",
         .command_line = "kvprof run",
         .state = ExperimentState::interrupted,
         .runs = 1,
         .complete_runs = 0,
         .variants = 1,
         .tags = {}}};
}

TEST(RenderText, MatchesTheGoldens) {
    expect_golden("comparison.txt", comparison_text(rectangle_to_stream()));
    expect_golden("comparison_cuda_host.txt", comparison_text(cuda_to_host()));
    expect_golden("traced_comparison.txt", comparison_text(traced_rectangle_to_stream()));
    expect_golden("pairs.txt", pairs_text(matrix()));
    expect_golden("run.txt", run_text(test::filled_run()));
    expect_golden("traced_run.txt", run_text(test::traced_run()));
    expect_golden("experiment.txt", experiment_text(experiment()));
    expect_golden("listing.txt", listing_text(listing()));
}

TEST(RenderMarkdown, MatchesTheGoldens) {
    expect_golden("comparison.md", comparison_markdown(rectangle_to_stream()));
    expect_golden("comparison_cuda_host.md", comparison_markdown(cuda_to_host()));
    expect_golden("pairs.md", pairs_markdown(matrix()));
    expect_golden("run.md", run_markdown(test::filled_run()));
    expect_golden("traced_run.md", run_markdown(test::traced_run()));
    expect_golden("traced_comparison.md", comparison_markdown(traced_rectangle_to_stream()));
    expect_golden("experiment.md", experiment_markdown(experiment()));
}

TEST(RenderJson, MatchesTheGoldens) {
    expect_golden("run.json", run_json(test::filled_run()));
    expect_golden("traced_run.json", run_json(test::traced_run()));
    expect_golden("experiment.json", experiment_json(experiment()));
    expect_golden("comparison.json", comparison_json(rectangle_to_stream()));
    expect_golden("pairs.json", pairs_json(matrix()));
    expect_golden("listing.json", listing_json(listing()));
}

TEST(RenderText, SaysWhenThereIsNothing) {
    EXPECT_EQ(listing_text({}), "no experiment is stored\n");
    EXPECT_THAT(experiment_text({}), HasSubstr("0 of 0 runs complete"));
    EXPECT_THAT(pairs_text({"batch", {}, {}}), HasSubstr("no pair of runs differs in batch alone"));
}

TEST(RenderJson, KeepsStoredTimesAndBytesWhole) {
    const auto json = nlohmann::json::parse(run_json(test::filled_run()));
    EXPECT_EQ(json["schema"], "kvprof.run/1");
    EXPECT_TRUE(json["samples"][0]["gpu_time_ns"].is_number_integer());
    EXPECT_TRUE(json["memory"][0]["bytes"].is_number_integer());
    EXPECT_TRUE(json["step"]["batch"].is_number_integer());
    EXPECT_EQ(json["step"]["holes"], 0.1);
}

TEST(RenderJson, WritesNullForWhatIsNoNumber) {
    kvprof::Run run = test::filled_run();
    run.check.attention_error = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(nlohmann::json::parse(run_json(run))["check"]["attention_error"].is_null());
}

TEST(RenderJson, SurvivesBytesThatAreNoText) {
    kvprof::Run run = test::filled_run();
    run.notes = {"\xff\"\n"};
    EXPECT_NO_THROW(std::ignore = nlohmann::json::parse(run_json(run)));
}

} // namespace
} // namespace kvprof::analyzers
