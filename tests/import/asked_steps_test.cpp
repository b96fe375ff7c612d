#include "capture/import/asked_steps.h"

#include "capture/model/error.h"
#include "tests/import/profile_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::ProfileRig;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// What the refusal says; empty where the file has what was asked for.
std::string refusal_of(const FileProfile& file, const ReadOptions& options) {
    try {
        require_asked_steps(file, options);
    } catch (const UsageError& error) {
        return with_hint(error);
    }
    return {};
}

/// Three ranges of one kind, and one around them.
std::string refusal_of(const ReadOptions& options) {
    ProfileRig rig(options);
    rig.annotation("warm-up", {.start = 0, .duration = 5});
    for (std::int64_t step = 0; step < 3; ++step) {
        rig.annotation("ProfilerStep#1", {.start = 10 + 10 * step, .duration = 10});
    }
    rig.op({.start = 0, .duration = 100});
    return refusal_of(rig.finish().file, options);
}

TEST(AskedSteps, ThatNoRangeIsOfAreRefused) {
    ReadOptions options;
    options.steps = StepRule::annotation;
    options.step_pattern = "foo";
    EXPECT_THAT(
        refusal_of(options),
        AllOf(
            HasSubstr("trace.json"),
            HasSubstr("--steps annotation:foo, and none of its 4 ranges"),
            HasSubstr("--steps auto")
        )
    );
    options.step_pattern = "warm";
    EXPECT_EQ(refusal_of(options), "");
}

TEST(AskedSteps, ThatGraphLaunchesDoNotGiveAreRefused) {
    ReadOptions options;
    options.steps = StepRule::graph;
    EXPECT_THAT(refusal_of(options), HasSubstr("--steps graph, and its 0 graph launches"));
    options.steps = StepRule::none;
    EXPECT_EQ(refusal_of(options), "");
}

TEST(AskedSteps, ThatAreAllSkippedAreRefused) {
    ReadOptions options;
    options.skip_first = 2;
    EXPECT_EQ(refusal_of(options), "");
    options.skip_last = 1;
    EXPECT_THAT(
        refusal_of(options),
        HasSubstr("--skip-first 2 --skip-last 1, and of its 3 steps (annotation ProfilerStep) none")
    );
    options.steps = StepRule::none; // there are none to skip
    EXPECT_THAT(refusal_of(options), HasSubstr("of its 0 steps"));
}

} // namespace
} // namespace kvprof::import
