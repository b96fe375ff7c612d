#include "analyzers/run_lists.h"

#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

ProfileStep step_named(const std::string& name) {
    ProfileStep step;
    step.name = name;
    step.start = nanoseconds(1'000);
    step.duration = nanoseconds(2'000);
    step.launches = 10;
    step.graph_launches = 2;
    step.kernels = 30;
    step.kernel_sum = nanoseconds(1'500);
    return step;
}

/// Two ranks of `steps` steps each.
kvprof::Run imported(std::size_t steps) {
    kvprof::Run run;
    run.uuid = test::uuid_of('7');
    run.profile.emplace();
    run.profile->step_rule = steps > 0 ? "annotation step[]" : "none";
    run.profile->ranks.resize(2);
    run.profile->ranks[0].rank = "TP00";
    for (ProfileRank& rank : run.profile->ranks) {
        rank.steps.assign(steps, step_named("step[DECODE bs=32]"));
    }
    return run;
}

KernelStat kernel(const std::string& name, std::int64_t ns) {
    KernelStat stat;
    stat.name = name;
    stat.launches = 2;
    stat.time = nanoseconds(ns);
    stat.shortest = nanoseconds(ns / 4);
    stat.longest = nanoseconds(ns - ns / 4);
    return stat;
}

/// A run of kvprof's own with what its nodes pass traced.
kvprof::Run traced() {
    kvprof::Run run = test::step_run(IndexMode::stream, {100});
    KernelStat of_op = kernel("void f<int>(int*)", 3'000);
    of_op.op = OpKind::token_stream;
    of_op.placement = Placement::in;
    KernelStat copy = kernel("", 1'000);
    copy.kind = ActivityKind::memory_copy;
    copy.copy = CopyKind::host_to_device;
    run.kernels = {copy, of_op};
    StepRecord record;
    record.step = 4;
    record.records = 12;
    record.span = nanoseconds(9'000);
    record.busy_sum = nanoseconds(8'000);
    run.step_records = {record};
    return run;
}

std::vector<std::string> row(const Section& section, std::size_t at) {
    std::vector<std::string> words;
    for (const Cell& cell : section.table->rows().at(at)) {
        words.push_back(cell.text);
    }
    return words;
}

TEST(StepsList, HasEveryStepOfEveryRank) {
    const Section section = steps_list(imported(100));
    ASSERT_THAT(section.table->rows(), SizeIs(200));
    EXPECT_THAT(
        row(section, 99),
        ElementsAre(
            "TP00", "99", "step[DECODE bs=32]", "1.00 us", "2.00 us", "10", "2", "30", "1.50 us"
        )
    );
    EXPECT_EQ(row(section, 100)[0], "-"); // a rank without a name
    EXPECT_THAT(section.lines, ElementsAre("annotation step[]"));
}

TEST(StepsList, APageSaysHowManyItLeftOut) {
    const Section section = steps_list(imported(100), {64, Fit::elided});
    EXPECT_THAT(section.table->rows(), SizeIs(64));
    EXPECT_THAT(
        section.lines, ElementsAre("annotation step[]", "136 more: kvprof show REF --steps has all")
    );
}

TEST(StepsList, OfARunOfOursAreTheTracedOnes) {
    EXPECT_THAT(
        row(steps_list(traced()), 0),
        ElementsAre("-", "4", "-", "-", "9.00 us", "-", "-", "12", "8.00 us")
    );
}

TEST(StepsList, SaysWhatGivesSomeWhereThereAreNone) {
    const auto why = [](const kvprof::Run& run) {
        const Section section = steps_list(run);
        EXPECT_FALSE(section.table);
        return section.lines.at(0);
    };
    EXPECT_THAT(
        why(imported(0)), HasSubstr("rule \"none\"; kvprof import --steps annotation:NAME")
    );
    EXPECT_THAT(why(test::step_run(IndexMode::stream, {100})), HasSubstr("--passes timing+nodes"));
    kvprof::Run failed;
    failed.status = {RunState::invalid, "ids differ", 3};
    EXPECT_EQ(why(failed), "no steps: it is invalid: ids differ");
}

TEST(KernelsList, HasWholeNamesInOrderOfFallingTimeWithTheirShare) {
    kvprof::Run run = imported(1);
    const std::string name = "void f<" + std::string(300, 'x') + ">(int)";
    run.kernels = {kernel("small", 1'000), kernel(name, 3'000)};
    const Section section = kernels_list(run);
    EXPECT_THAT(row(section, 0), ElementsAre("2", "3.00 us", "75.0 %", "0.75 us", "2.25 us", name));
    EXPECT_EQ(section.table->columns().back().fit, Fit::whole);
    const Section page = kernels_list(run, {1, Fit::elided});
    EXPECT_EQ(row(page, 0).front(), name);
    EXPECT_THAT(page.lines, ElementsAre("1 more: kvprof show REF --kernels has all"));
    EXPECT_THAT(section.lines, testing::IsEmpty());
}

TEST(KernelsList, OfARunOfOursNamesTheOp) {
    const Section section = kernels_list(traced());
    EXPECT_EQ(row(section, 0).at(5), "token-stream (in)");
    EXPECT_EQ(row(section, 0).back(), "void f<int>(int*)");
    EXPECT_EQ(row(section, 1).back(), "(copy host-to-device)");
}

TEST(KernelsList, SaysWhatGivesSomeWhereThereAreNone) {
    const auto why = [](const kvprof::Run& run) { return kernels_list(run).lines.at(0); };
    kvprof::Run whole = imported(1);
    whole.profile->ranks[0].figures = {{"graph_trace.count", 4}};
    EXPECT_THAT(why(whole), HasSubstr("--cuda-graph-trace=node"));
    EXPECT_THAT(why(imported(1)), HasSubstr("activities of the GPU"));
    EXPECT_THAT(why(test::step_run(IndexMode::stream, {100})), HasSubstr("--passes timing+nodes"));
}

TEST(RunLists, SayThatThePassFailedAndWhy) {
    kvprof::Run run = test::step_run(IndexMode::stream, {100});
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.failure = "CUPTI is held by another tool: end it";
    run.passes = {nodes};
    EXPECT_THAT(
        steps_list(run).lines,
        ElementsAre("no steps: its nodes pass failed: CUPTI is held by another tool: end it")
    );
    EXPECT_THAT(
        kernels_list(run).lines,
        ElementsAre("no kernels: its nodes pass failed: CUPTI is held by another tool: end it")
    );
    run.passes[0].failure.clear();
    EXPECT_THAT(
        kernels_list(run).lines,
        ElementsAre(
            "no kernels: its nodes pass saw no record; kvprof doctor says what tracing needs"
        )
    );
}

TEST(ListsJson, NumbersStepsInTheirRankAndNamesTheRule) {
    const auto runs =
        nlohmann::json::parse(lists_json({imported(2), traced()}, RunList::steps))["runs"];
    std::vector<int> numbers;
    for (const auto& step : runs[0]["steps"]) {
        numbers.push_back(step["step"]);
        EXPECT_EQ(step["kernels"], 30);
        EXPECT_TRUE(step["records"].is_null());
    }
    EXPECT_THAT(numbers, ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(runs[0]["rule"], "annotation step[]");
    EXPECT_EQ(runs[1]["steps"][0]["step"], 4);
    EXPECT_EQ(runs[1]["steps"][0]["records"], 12); // kernels with copies and fills
    EXPECT_TRUE(runs[1]["steps"][0]["kernels"].is_null());
    EXPECT_TRUE(runs[1]["rule"].is_null());
}

TEST(ListsJson, HasKernelsInOrderOfFallingTimeWithTheirKind) {
    const auto runs =
        nlohmann::json::parse(lists_json({traced(), imported(1)}, RunList::kernels))["runs"];
    ASSERT_THAT(runs[0]["kernels"], SizeIs(2));
    EXPECT_EQ(runs[0]["kernels"][0]["name"], "void f<int>(int*)");
    EXPECT_EQ(runs[0]["kernels"][0]["kind"], "kernel");
    EXPECT_EQ(runs[0]["kernels"][0]["placement"], "in");
    EXPECT_EQ(runs[0]["kernels"][1]["kind"], "memory-copy");
    EXPECT_TRUE(runs[0]["kernels"][1]["placement"].is_null()); // of no op
}

TEST(ListsJson, HasTheSameInNanoseconds) {
    kvprof::Run run = imported(1);
    run.kernels = {kernel("k", 3'000)};
    const auto steps = nlohmann::json::parse(lists_json({run, traced()}, RunList::steps));
    EXPECT_EQ(steps["schema"], "kvprof.steps/1");
    EXPECT_EQ(steps["runs"][0]["uuid"], run.uuid);
    EXPECT_EQ(steps["runs"][0]["steps"].size(), 2U);
    EXPECT_EQ(steps["runs"][0]["steps"][0]["rank"], "TP00");
    EXPECT_EQ(steps["runs"][0]["steps"][0]["kernel_sum_ns"], 1'500);
    EXPECT_TRUE(steps["runs"][0]["why_none"].is_null());
    EXPECT_TRUE(steps["runs"][1]["steps"][0]["launches"].is_null());
    EXPECT_EQ(steps["runs"][1]["steps"][0]["duration_ns"], 9'000);
    const auto kernels = nlohmann::json::parse(lists_json({run, imported(1)}, RunList::kernels));
    EXPECT_EQ(kernels["schema"], "kvprof.kernels/1");
    EXPECT_EQ(kernels["runs"][0]["kernels"][0]["longest_ns"], 2'250);
    EXPECT_EQ(kernels["runs"][0]["kernels"][0]["name"], "k");
    EXPECT_THAT(kernels["runs"][1]["why_none"].get<std::string>(), HasSubstr("no kernels"));
}

} // namespace
} // namespace kvprof::analyzers
