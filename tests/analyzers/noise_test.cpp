#include "analyzers/noise.h"

#include "capture/model/error.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// One run whose step takes so many tenths of a microsecond.
kvprof::Run run_of(std::int64_t tenths_of_us) {
    kvprof::Run run = test::step_run(IndexMode::stream, {1});
    run.samples.front().replays = 1;
    run.samples.front().gpu_time = std::chrono::nanoseconds(tenths_of_us * 100);
    return run;
}

/// The twelve runs of the method's worked example.
Experiment calibration_runs() {
    Experiment experiment{
        .uuid = test::uuid_of('c'),
        .started_at = "2026-03-01T10:00:00Z",
        .kind = ExperimentKind::calibration};
    for (const std::int64_t value :
         {124102,
          123967,
          124319,
          124055,
          124183,
          123890,
          124026,
          124218,
          123993,
          124127,
          123935,
          124270}) {
        experiment.runs.push_back(run_of(value));
        experiment.runs.back().position = static_cast<std::int64_t>(experiment.runs.size()) - 1;
    }
    return experiment;
}

TEST(Calibration, FindsTheNoiseOfTheWorkedExample) {
    const Calibration calibration = calibration_of(calibration_runs(), 42, 8);
    const MetricNoise* const noise = noise_of(calibration, "step.gpu_time");
    ASSERT_NE(noise, nullptr);
    EXPECT_NEAR(noise->sigma, 0.001291, 5e-7);
    EXPECT_NEAR(noise->floor, 0.001630, 5e-7);
    EXPECT_EQ(noise->runs, 12U);
    EXPECT_EQ(calibration.runs_a_side, 8U);
    EXPECT_EQ(noise->splits, 462U);
    // Eight pairs, whose log-ratios deviate by sqrt(2) sigma: factor 1.25.
    EXPECT_NEAR(noise->detectable.value(), std::expm1(1.25 * std::sqrt(2.0) * 0.001291), 2e-5);
    EXPECT_THAT(calibration.notes, IsEmpty());
    EXPECT_EQ(calibration.device, calibration_runs().runs.front().environment.device_name);
}

TEST(Calibration, SaysWhatRunsOfTheTestThatIsMadeWouldSee) {
    const auto seen = [](std::size_t runs_a_side) {
        return noise_of(calibration_of(calibration_runs(), 42, runs_a_side), "step.gpu_time")
            ->detectable;
    };
    EXPECT_NEAR(seen(4).value(), std::expm1(2.90 * 0.001291), 2e-5); // rank sums
    EXPECT_EQ(seen(2), std::nullopt);
}

TEST(Calibration, KeepsJudgedTimesOfTheTimingPassAlone) {
    const Calibration calibration = calibration_of(calibration_runs(), 42, 8);
    std::vector<std::string> ids;
    for (const MetricNoise& one : calibration.metrics) {
        ids.push_back(one.id);
    }
    EXPECT_THAT(ids, ElementsAre("step.gpu_time", "step.wall_time"));
    EXPECT_EQ(noise_of(calibration, "step.launches"), nullptr);
}

TEST(Calibration, LeavesOutWhatIsNoEvidenceAndSaysSo) {
    Experiment experiment = calibration_runs();
    experiment.runs[0].status = {.state = RunState::interrupted, .reason = "stopped"};
    experiment.runs[1].conditions = {{ConditionKind::sw_thermal, "seen once", Pass::timing}};
    experiment.runs[2].environment.device_name = "another";
    experiment.runs[3].conditions = {{ConditionKind::power_capped, "kept", Pass::timing}};
    experiment.runs[4].conditions = {{ConditionKind::census_mismatch, "kept", Pass::nodes}};
    const Calibration calibration = calibration_of(experiment, 42, 8);
    EXPECT_EQ(noise_of(calibration, "step.gpu_time")->runs, 9U);
    EXPECT_THAT(
        calibration.notes,
        ElementsAre(
            "run 1 left out: interrupted: stopped",
            "run 2 left out: sw-thermal: seen once",
            HasSubstr("run 3 left out: measured on another, not on ")
        )
    );
}

TEST(Calibration, NeedsFourRunsOfOneCase) {
    Experiment experiment = calibration_runs();
    experiment.runs.resize(3);
    EXPECT_THROW(static_cast<void>(calibration_of(experiment, 42, 8)), UsageError);
    experiment.runs.clear();
    EXPECT_THROW(static_cast<void>(calibration_of(experiment, 42, 8)), UsageError);

    experiment = calibration_runs();
    experiment.runs[5].step.batch = 8;
    try {
        static_cast<void>(calibration_of(experiment, 42, 8));
        FAIL() << "two cases were taken for one";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("its runs differ in batch"));
    }
}

TEST(CalibrationFor, IsTheNewestOfTheSameCase) {
    const Calibration old_one = calibration_of(calibration_runs(), 42, 8);
    Calibration new_one = old_one;
    new_one.started_at = "2026-03-02T10:00:00Z";
    const std::vector<Calibration> all{old_one, new_one, old_one};
    const kvprof::Run run = run_of(1);
    EXPECT_EQ(calibration_for(all, run), &all[1]);
    EXPECT_EQ(calibration_for({}, run), nullptr);
}

TEST(CalibrationFor, IsNoneOfAnotherCase) {
    const std::vector<Calibration> all{calibration_of(calibration_runs(), 42, 8)};
    const auto fits = [&](auto&& change) {
        kvprof::Run run = run_of(1);
        change(run);
        return calibration_for(all, run) != nullptr;
    };
    EXPECT_TRUE(fits([](kvprof::Run& run) { run.measure.samples = 7; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.step.delay_us = 1.0; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.measure.op = "repack"; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.measure.l2 = L2Mode::flush; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.measure.executor = ExecutorKind::host; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.measure.op_launches = 1; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.environment.device_name = "another"; }));
    EXPECT_FALSE(fits([](kvprof::Run& run) { run.environment.method = "77"; }));
}

} // namespace
} // namespace kvprof::analyzers
