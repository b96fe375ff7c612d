#include "analyzers/policy.h"

#include "analyzers/cell_pattern.h"
#include "analyzers/metric_names.h"
#include "analyzers/spec_diff.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kFile = "kvprof.toml";

Policy read(std::string_view text) {
    return parse_policy(text, kFile);
}

/// {what, hint} of the refusal.
std::pair<std::string, std::string> refusal_of(std::string_view text) {
    try {
        static_cast<void>(read(text));
    } catch (const UsageError& error) {
        return {error.what(), error.hint()};
    }
    ADD_FAILURE() << "not refused: " << text;
    return {};
}

Limits limits(const Policy& policy, std::string_view id) {
    return limits_for(policy, id, *find_metric(id));
}

TEST(PolicyFile, ReadsEveryKey) {
    const Policy policy = read(R"(version = 1
[gate]
primary = ["step_time", "launches", "graph_memory"]
alpha = 0.01
q = 0.1
runs = 12
on_inconclusive = "warn"
[metric.step_time]
threshold = "0.5 %"
[metric.graph_memory]
source = "driver"
threshold = "2MiB"
[[accept]]
metric = "launches"
case = "bs=64,*"
until = "2026-12-31"
reason = "rank-local table"
)");
    EXPECT_EQ(policy.origin, kFile);
    EXPECT_THAT(policy.primary, ElementsAre("step_time", "launches", "graph_memory"));
    EXPECT_EQ(policy.primary_line, 3);
    EXPECT_EQ(policy.alpha, 0.01);
    EXPECT_EQ(policy.q, 0.1);
    EXPECT_EQ(policy.runs, 12);
    EXPECT_EQ(policy.on_inconclusive, OnInconclusive::warn);
    EXPECT_EQ(limits(policy, "step.gpu_time"), (Limits{.ratio = 0.005}));
    EXPECT_EQ(
        limits(policy, "graph_memory.graph-reserved-high.bytes"), (Limits{.absolute = 2097152.0})
    );
    ASSERT_EQ(policy.accepted.size(), 1U);
    EXPECT_EQ(
        policy.accepted.front(),
        (Acceptance{
            .metric = "launches",
            .cell = "bs=64,*",
            .until = "2026-12-31",
            .reason = "rank-local table",
            .line = 13})
    );
}

TEST(PolicyFile, ThatIsEmptyLeavesTheDefaults) {
    Policy expected;
    expected.origin = kFile;
    EXPECT_EQ(read(""), expected);
    EXPECT_EQ(expected.runs, 8);
    EXPECT_EQ(expected.alpha, 0.05);
}

TEST(PolicyFile, ReadsSeveralLimitsThatMustAllBePassed) {
    const Policy policy = read(R"([metric.kernels]
threshold = ["5%", "0.5 us", "0.2% of step"])");
    const Limits kernel = kernel_limits(policy);
    EXPECT_DOUBLE_EQ(kernel.ratio.value(), 0.05);
    EXPECT_DOUBLE_EQ(kernel.absolute.value(), 500.0);
    EXPECT_DOUBLE_EQ(kernel.of_step.value(), 0.002);
}

TEST(PolicyFile, ReadsEachUnit) {
    const auto absolute = [](std::string_view metric, std::string_view text) {
        const std::string file =
            "[metric.\"" + std::string(metric) + "\"]\nthreshold = \"" + std::string(text) + "\"";
        return limits(read(file), metric).absolute.value_or(-1.0);
    };
    EXPECT_DOUBLE_EQ(absolute("step.gpu_time", "200ns"), 200.0);
    EXPECT_DOUBLE_EQ(absolute("step.gpu_time", "2us"), 2000.0);
    EXPECT_DOUBLE_EQ(absolute("step.gpu_time", "1.5ms"), 1.5e6);
    EXPECT_DOUBLE_EQ(absolute("step.gpu_time", " 1 s "), 1e9);
    EXPECT_DOUBLE_EQ(absolute("ledger.graph.bytes", "7B"), 7.0);
    EXPECT_DOUBLE_EQ(absolute("ledger.graph.bytes", "1KiB"), 1024.0);
    EXPECT_DOUBLE_EQ(absolute("ledger.graph.bytes", "1 GiB"), 1073741824.0);
    EXPECT_DOUBLE_EQ(absolute("step.launches", "1"), 1.0);
    EXPECT_EQ(limits(read("[metric.launches]\nthreshold = 2"), "step.launches").absolute, 2.0);
}

TEST(PolicyFile, NamesThePlaceOfWhatItRefuses) {
    EXPECT_THAT(
        refusal_of("version = 1\n[gate]\nprimry = []").first,
        StartsWith("kvprof.toml:3:1: could not read the policy: there is no key \"primry\"")
    );
    EXPECT_EQ(refusal_of("[gate]\nprimry = []").second, "did you mean \"primary\"?");
    EXPECT_THAT(
        refusal_of("[gate]\nalpha = = 1").first,
        StartsWith("kvprof.toml:2:9: could not read the policy: ")
    );
    EXPECT_THAT(refusal_of("gates = 1").second, HasSubstr("\"gate\""));
    EXPECT_THAT(refusal_of("version = 2").first, HasSubstr(":1:11: "));
    EXPECT_THAT(refusal_of("version = \"1\"").first, HasSubstr("reads version 1"));
    EXPECT_THAT(refusal_of("gate = 3").first, HasSubstr("gate must be a table"));
}

TEST(PolicyFile, SuggestsTheNearestMetric) {
    const auto [what, hint] = refusal_of("[gate]\nprimary = [\"launches\", \"step_tme\"]");
    EXPECT_THAT(what, StartsWith("kvprof.toml:2:24: "));
    EXPECT_THAT(what, HasSubstr("there is no metric \"step_tme\""));
    EXPECT_EQ(hint, "did you mean \"step_time\"?");
    EXPECT_EQ(
        refusal_of("[metric.\"op.token-steam.time\"]").second,
        "did you mean \"op.token-stream.time\"?"
    );
    EXPECT_THAT(refusal_of("[metric.step.gpu_time]").second, HasSubstr("quoted"));
    EXPECT_THAT(refusal_of("[metric.\"op.<name>.time\"]").first, HasSubstr("no metric"));
}

TEST(PolicyFile, RefusesAPrimaryMetricThatIsThereTwice) {
    EXPECT_THAT(
        refusal_of("[gate]\nprimary = [\"step_time\", \"step.gpu_time\"]").first,
        HasSubstr("step.gpu_time is there twice")
    );
    EXPECT_THAT(refusal_of("[gate]\nprimary = []").first, HasSubstr("list of metrics"));
}

TEST(PolicyFile, RefusesTwoRulesOfOneMetric) {
    try {
        static_cast<void>(parse_policy(
            "[metric.step_time]\nthreshold = \"2%\"\n[metric.\"step.gpu_time\"]\nthreshold = "
            "\"5%\"",
            "p.toml"
        ));
        FAIL() << "two rules of one metric were read";
    } catch (const UsageError& error) {
        EXPECT_THAT(
            error.what(),
            HasSubstr("step.gpu_time is named twice: step_time of line 1 is the same metric")
        );
    }
}

TEST(PolicyFile, RefusesALimitThatIsNone) {
    const auto cause = [](const std::string& metric, const std::string& text) {
        return refusal_of("[metric." + metric + "]\nthreshold = " + text).first;
    };
    EXPECT_THAT(cause("step_time", "\"1\""), HasSubstr("needs a unit: ns, us, ms, s, %"));
    EXPECT_THAT(cause("step_time", "\"1mss\""), HasSubstr("did you mean \"ms\"?"));
    EXPECT_THAT(cause("step_time", "\"2MiB\""), HasSubstr("\"MiB\" is no unit of step.gpu_time"));
    EXPECT_THAT(cause("launches", "\"1% of step\""), HasSubstr("is no unit of step.launches"));
    EXPECT_THAT(cause("step_time", "\"-1%\""), HasSubstr("0 or more"));
    EXPECT_THAT(cause("step_time", "\"inf%\""), HasSubstr("0 or more"));
    EXPECT_THAT(cause("step_time", "\"2000%\""), HasSubstr("over 1000 %"));
    EXPECT_THAT(cause("step_time", "\"0%\""), HasSubstr("could never hold"));
    EXPECT_THAT(cause("step_time", "[\"1%\", \"2%\"]"), HasSubstr("second limit of the same kind"));
    EXPECT_THAT(cause("step_time", "[]"), HasSubstr("is empty"));
    EXPECT_THAT(cause("step_time", "true"), HasSubstr("must be a text"));
    EXPECT_EQ(limits(read("[metric.launches]\nthreshold = \"0\""), "step.launches").absolute, 0.0);
}

TEST(PolicyFile, RefusesAnUnknownSource) {
    EXPECT_EQ(
        refusal_of("[metric.graph_memory]\nsource = \"exakt\"").second, "did you mean \"exact\"?"
    );
    EXPECT_THAT(
        refusal_of("[metric.step_time]\nsource = \"exact\"").first,
        HasSubstr("step_time has no choice of source")
    );
}

TEST(PolicyFile, RefusesADayThatDoesNotExist) {
    const auto accept = [](const std::string& until) {
        return "[[accept]]\nmetric = \"launches\"\nreason = \"r\"\nuntil = " + until;
    };
    EXPECT_THAT(refusal_of(accept("\"2026-02-30\"")).first, StartsWith("kvprof.toml:4:9: "));
    EXPECT_THAT(refusal_of(accept("\"2026-2-3\"")).first, HasSubstr("a day that exists"));
    EXPECT_THAT(refusal_of(accept("\"2026-+2-03\"")).first, HasSubstr("a day that exists"));
    EXPECT_EQ(read(accept("\"2028-02-29\"")).accepted.front().until, "2028-02-29");
    EXPECT_EQ(read(accept("2026-12-31")).accepted.front().until, "2026-12-31");
}

TEST(PolicyFile, WantsAReasonForWhatIsAccepted) {
    EXPECT_THAT(
        refusal_of("[[accept]]\nmetric = \"launches\"\nuntil = \"2026-12-31\"").first,
        HasSubstr("the key \"reason\" is missing")
    );
    const auto [what, hint] =
        refusal_of("[[accept]]\nmetric = \"launches\"\nuntil = \"2026-12-31\"\nreason = \"r\"\n"
                   "case = \"seq-lne=8\"");
    EXPECT_THAT(what, HasSubstr("there is no such field"));
    EXPECT_EQ(hint, "did you mean \"seq-len\"?");
}

TEST(PolicyFile, RefusesNumbersOutsideTheirRange) {
    EXPECT_THAT(refusal_of("[gate]\nalpha = 0").first, HasSubstr("between 0 and 1"));
    EXPECT_THAT(refusal_of("[gate]\nq = 1").first, HasSubstr("between 0 and 1"));
    EXPECT_THAT(refusal_of("[gate]\nruns = 7").first, HasSubstr("even number"));
    EXPECT_THAT(refusal_of("[gate]\nruns = 0").first, HasSubstr("even number"));
    EXPECT_EQ(refusal_of("[gate]\non_inconclusive = \"wran\"").second, "did you mean \"warn\"?");
}

TEST(PolicyFile, AllowsOneRunForExactMetricsAlone) {
    EXPECT_THAT(
        refusal_of("[gate]\nruns = 1").first, HasSubstr("exact metrics only, and step_time varies")
    );
    EXPECT_EQ(read("[gate]\nruns = 1\nprimary = [\"launches\", \"graph_memory\"]").runs, 1);
    EXPECT_THAT(
        refusal_of("[gate]\nruns = 1\nprimary = [\"graph_memory\"]\n[metric.graph_memory]\n"
                   "source = \"device-free\"")
            .first,
        HasSubstr("graph_memory varies")
    );
}

/// A file of the folder examples.
Policy read_example(const std::string& name) {
    const std::string path = std::string(KVPROF_TESTS_DIR) + "/../examples/" + name;
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(file) << path;
    return parse_policy(text.str(), path);
}

TEST(ExamplePolicy, SpellsOutTheDefaults) {
    const Policy example = read_example("kvprof.toml");
    const Policy defaults;
    EXPECT_EQ(example.primary, defaults.primary);
    EXPECT_EQ(example.alpha, defaults.alpha);
    EXPECT_EQ(example.q, defaults.q);
    EXPECT_EQ(example.runs, defaults.runs);
    EXPECT_EQ(example.on_inconclusive, defaults.on_inconclusive);
    EXPECT_EQ(kernel_limits(example), kernel_limits(defaults));
    for (const std::string_view id : {"step.gpu_time", "step.host_launch", "ledger.graph.bytes"}) {
        EXPECT_EQ(limits(example, id), limits(defaults, id)) << id;
    }
}

TEST(ExamplePolicy, ForRunnersWithoutAGpuHasNoTimes) {
    const Policy example = read_example("ci/kvprof-exact.toml");
    EXPECT_EQ(example.runs, 1);
    for (const std::string& name : example.primary) {
        EXPECT_EQ(find_metric(ids_of(example, name).front())->kind, MetricKind::exact) << name;
    }
}

TEST(Policy, KnowsTheRowsBehindItsWords) {
    const Policy policy;
    EXPECT_THAT(
        ids_of(policy, "step_time"),
        ElementsAre("step.gpu_time", "op.gpu_time", "gpu.kernel.sum", "span.wall")
    );
    EXPECT_THAT(ids_of(policy, "launches"), ElementsAre("step.launches", "api.launch"));
    EXPECT_THAT(ids_of(policy, "graph_memory"), ElementsAre("ledger.graph.bytes"));
    EXPECT_THAT(ids_of(policy, "step.sync_calls"), ElementsAre("step.sync_calls"));
    EXPECT_THAT(ids_of(policy, "kernels"), ElementsAre());
    const Policy device = read("[metric.graph_memory]\nsource = \"device-free\"");
    EXPECT_THAT(ids_of(device, "graph_memory"), ElementsAre("graph_memory.peak.bytes"));
}

TEST(Policy, CallsARowByTheWordThatItUsesItself) {
    EXPECT_EQ(name_in(Policy{}, "op.gpu_time"), "step_time");
    EXPECT_EQ(name_in(Policy{}, "step.wall_time"), "wall_time");
    EXPECT_EQ(name_in(Policy{}, "graph.nodes"), "graph.nodes");
    EXPECT_EQ(name_in({.primary = {"step.gpu_time"}}, "step.gpu_time"), "step.gpu_time");
}

TEST(Policy, HasALimitForEveryMetric) {
    const Policy policy;
    EXPECT_EQ(limits(policy, "step.gpu_time"), (Limits{.ratio = 0.01}));
    EXPECT_EQ(limits(policy, "step.host_launch"), (Limits{.ratio = 0.05}));
    EXPECT_EQ(limits(policy, "step.host_launch_calls"), (Limits{.absolute = 0.0}));
    EXPECT_EQ(limits(policy, "ledger.graph.bytes"), (Limits{.absolute = 0.0}));
    EXPECT_EQ(limits(policy, "graph_memory.peak.bytes"), (Limits{.absolute = 2097152.0}));
    const MetricDef tail{
        "step.gpu_time_p99", Unit::nanoseconds, Direction::lower, MetricKind::sampled, ""};
    EXPECT_EQ(limits_for(policy, tail.id, tail), (Limits{.ratio = 0.03}));
    EXPECT_EQ(kernel_limits(policy), (Limits{.ratio = 0.03, .absolute = 200.0, .of_step = 0.001}));
}

TEST(Policy, PrefersTheRuleOfAnIdToThatOfAWord) {
    const Policy policy =
        read("[metric.step_time]\nthreshold = \"2%\"\n[metric.\"op.gpu_time\"]\nthreshold = \"5%\""
        );
    EXPECT_EQ(limits(policy, "step.gpu_time").ratio, 0.02);
    EXPECT_EQ(limits(policy, "op.gpu_time").ratio, 0.05);
}

TEST(MetricNames, FitIdsToTheCatalogue) {
    EXPECT_EQ(find_metric("op.token-stream.time")->id, "op.<name>.time");
    EXPECT_EQ(find_metric("ledger.graph.bytes")->better, Direction::lower);
    EXPECT_EQ(find_metric("ledger.stream.bytes")->better, Direction::neither);
    EXPECT_EQ(find_metric("graph_memory.graph-used.bytes")->kind, MetricKind::exact);
    EXPECT_EQ(find_metric("graph_memory.captured.bytes")->kind, MetricKind::sampled);
    EXPECT_EQ(find_metric("graph_memory.peak.bytes")->id, "graph_memory.peak.bytes");
    EXPECT_EQ(find_metric("graph_memory.never.bytes"), nullptr);
    EXPECT_EQ(find_metric("op.nonsense.time"), nullptr);
    EXPECT_EQ(find_metric("op..time"), nullptr);
    EXPECT_EQ(find_metric("kernels"), nullptr);
}

TEST(CellPattern, MatchesFieldsByGlob) {
    StepSpec step;
    step.batch = 64;
    step.seq_len = 8224;
    const std::vector<Param> params = params_of(step, MeasureSpec{});
    const auto matches = [&](std::string_view text) {
        return fits(parse_cell_pattern(text), params);
    };
    EXPECT_TRUE(matches(""));
    EXPECT_TRUE(matches("*"));
    EXPECT_TRUE(matches("bs=64,*"));
    EXPECT_TRUE(matches("batch=6?, seq-len=82*"));
    EXPECT_FALSE(matches("batch=6"));
    EXPECT_FALSE(matches("batch=64,seq-len=1*"));
    EXPECT_THROW(static_cast<void>(parse_cell_pattern("batch")), UsageError);
    EXPECT_THROW(static_cast<void>(parse_cell_pattern("batch=")), UsageError);
}

} // namespace
} // namespace kvprof::analyzers
