#include "capture/host/host_executor.h"
#include "capture/observe.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <utility>

namespace {

using namespace kvprof;
using activity::Recording;
using test::small_step;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

constexpr std::int64_t kSteps = 30;

/// Plays a recording that a test prepares, from the one that the host executor's steps left.
class RecorderPlays final : public Recorder {
  public:
    using Prepare = std::function<Recording(Recording heard)>;

    explicit RecorderPlays(Prepare prepare)
        : prepare_(std::move(prepare)) {}

    void start() override { host_.start(); }

    [[nodiscard]] Recording stop() override { return prepare_(host_.stop()); }

    [[nodiscard]] host::HostRecorder& host() { return host_; }

  private:
    Prepare prepare_;
    host::HostRecorder host_;
};

kvprof::Run observed(Pass pass, RecorderPlays::Prepare prepare) {
    MeasureSpec how;
    how.executor = ExecutorKind::host;
    how.warmup_max_s = 0.001;
    how.trace_steps = kSteps;
    RecorderPlays recorder(std::move(prepare));
    host::HostExecutor executor(&recorder.host());
    return observe(pass, &recorder, executor, small_step(), how);
}

/// What CUPTI counts of the small step: launches of a graph once, the others in every step.
Recording counted() {
    const test::StepRig rig(small_step());
    Recording recording;
    for (const OpStat& stat : rig.counts.ops) {
        const bool is_captured = stat.placement == Placement::in;
        const auto add = [&](const char* function, ApiKind kind, std::int64_t calls) {
            activity::CallCount count{.kind = kind, .is_captured = is_captured};
            count.tag = {.role = Role::op, .op = stat.op, .placement = stat.placement};
            count.calls = calls * (is_captured ? 1 : kSteps);
            count.first_step = is_captured ? -1 : 0;
            recording.calls.push_back({function, count});
        };
        if (stat.launches > 0) {
            add("cudaLaunchKernel", ApiKind::kernel_launch, stat.launches);
        }
        if (stat.copies > 0) {
            add("cudaMemcpyAsync", ApiKind::memory_copy, stat.copies);
        }
    }
    return recording;
}

/// One replay in each step that was heard, with a span of 50 ns for each.
Recording replays(const Recording& heard) {
    std::set<std::int64_t> steps;
    for (const activity::Launch& launch : heard.launches) {
        if (launch.step >= 0) {
            steps.insert(launch.step);
        }
    }
    Recording recording;
    for (const std::int64_t step : steps) {
        const auto correlation = static_cast<std::uint32_t>(recording.launches.size() + 1);
        recording.launches.push_back(
            {correlation, ApiKind::graph_launch, {.role = Role::replay}, step}
        );
        const std::uint64_t start = 100 * std::uint64_t{correlation};
        recording.spans.push_back({start, start + 50, correlation});
    }
    return recording;
}

TEST(ObserveCounts, KeepsTheCallsThatAgreeWithThePlan) {
    const kvprof::Run run = observed(Pass::counts, [](const Recording&) { return counted(); });
    EXPECT_THAT(run.passes, SizeIs(1));
    EXPECT_EQ(run.passes.front().pass, Pass::counts);
    EXPECT_EQ(run.passes.front().failure, "");
    EXPECT_EQ(run.passes.front().steps, kSteps);
    EXPECT_EQ(run.status.state, RunState::complete) << run.status.reason;
    EXPECT_THAT(run.calls, SizeIs(counted().calls.size()));
}

TEST(ObserveCounts, CallsThatThePlanDoesNotHaveMakeTheRunInvalid) {
    const kvprof::Run run = observed(Pass::counts, [](const Recording&) {
        Recording recording = counted();
        ++recording.calls.front().count.calls;
        return recording;
    });
    EXPECT_EQ(run.status.state, RunState::invalid);
    EXPECT_THAT(run.status.reason, HasSubstr("could not confirm the launches of op "));
    EXPECT_THAT(run.calls, IsEmpty());
}

/// A recording that failed is looked at no further: it may well contradict the plan.
TEST(ObserveCounts, ARecordingThatFailedIsAFailedPassWithoutCalls) {
    const kvprof::Run run = observed(Pass::counts, [](const Recording&) {
        Recording recording = counted();
        recording.calls.pop_back();
        recording.failure = "2 calls were lost";
        return recording;
    });
    EXPECT_EQ(run.passes.front().failure, "2 calls were lost");
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_THAT(run.calls, IsEmpty());
}

TEST(ObserveGraph, HasOneSpanAStep) {
    const kvprof::Run run = observed(Pass::graph, replays);
    EXPECT_EQ(run.passes.front().pass, Pass::graph);
    EXPECT_EQ(run.passes.front().failure, "");
    EXPECT_EQ(run.passes.front().records, kSteps);
    EXPECT_THAT(run.graph_spans, SizeIs(kSteps));
    EXPECT_THAT(run.graph_spans, Each(50ns));
    EXPECT_THAT(run.op_samples, IsEmpty());
    EXPECT_EQ(run.status.state, RunState::complete);
}

TEST(ObserveGraph, ATraceWithoutSpansIsAFailedPassThatSpeaksOfSpans) {
    const kvprof::Run run = observed(Pass::graph, [](const Recording& heard) {
        Recording recording = replays(heard);
        recording.spans.clear();
        return recording;
    });
    EXPECT_THAT(run.passes.front().failure, HasSubstr("30 of 30 replays do not have one span"));
    EXPECT_THAT(run.passes.front().failure, Not(HasSubstr("nodes")));
    EXPECT_THAT(run.graph_spans, IsEmpty());
    EXPECT_EQ(run.status.state, RunState::complete);
}

TEST(ObserveGraph, ARecordingThatFailedIsAFailedPassWithoutSpans) {
    const kvprof::Run run = observed(Pass::graph, [](const Recording& heard) {
        Recording recording = replays(heard);
        recording.failure = "1 nodes have no id";
        return recording;
    });
    EXPECT_EQ(run.passes.front().failure, "1 nodes have no id");
    EXPECT_THAT(run.graph_spans, IsEmpty());
}

TEST(ObserveNodes, WorkThatThePlanDoesNotHaveMakesTheRunInvalid) {
    const kvprof::Run run = observed(Pass::nodes, [](Recording heard) {
        activity::Launch launch = heard.launches.front();
        activity::Record record = heard.records[0];
        launch.correlation = 1'000'000;
        record.correlation = launch.correlation;
        heard.launches.push_back(launch);
        heard.records.append(record);
        return heard;
    });
    EXPECT_EQ(run.status.state, RunState::invalid);
    EXPECT_THAT(run.status.reason, HasSubstr("could not confirm the launches of op "));
    EXPECT_THAT(run.status.reason, HasSubstr("pieces of work in 30 steps"));
    EXPECT_EQ(run.passes.front().failure, run.status.reason);
    EXPECT_THAT(run.op_samples, IsEmpty());
}

TEST(ObserveNodes, ARecordingThatFailedIsAFailedPassWithoutFigures) {
    const kvprof::Run run = observed(Pass::nodes, [](Recording heard) {
        heard.failure = "1 buffers could not be read";
        return heard;
    });
    EXPECT_EQ(run.passes.front().failure, "1 buffers could not be read");
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_THAT(run.op_samples, IsEmpty());
    EXPECT_THAT(run.kernels, IsEmpty());
}

} // namespace
