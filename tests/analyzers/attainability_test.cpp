#include "analyzers/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using testing::HasSubstr;

Policy policy_of(std::vector<std::string> primary) {
    Policy policy;
    policy.primary = std::move(primary);
    return policy;
}

TEST(Family, CountsTheSampledPrimaryRows) {
    EXPECT_EQ(family_size(Policy{}, 1), 1U); // step_time; the others are exact
    EXPECT_EQ(family_size(policy_of({"step_time", "wall_time", "launches"}), 3), 6U);
    EXPECT_EQ(family_size(policy_of({"launches", "graph_memory"}), 3), 0U);
}

TEST(Family, HasNoReadingOfTheDeviceAndNoRowTwice) {
    Policy policy = policy_of({"step_time", "graph_memory"});
    for (const char* source : {"driver", "device-free"}) {
        policy.rules = {{.metric = "graph_memory", .limits = {}, .source = source}};
        EXPECT_EQ(family_size(policy, 1), 1U) << source;
    }
    EXPECT_EQ(family_size(policy_of({"step_time", "op.gpu_time"}), 2), 2U);
    EXPECT_EQ(family_size(policy_of({"op.gpu_time", "step_time"}), 2), 2U);
}

TEST(Unreachable, DoesNotPromiseMoreThanItTried) {
    Policy policy;
    policy.alpha = 1e-305;
    EXPECT_THAT(
        unreachable(policy, 1, 8, 1), HasSubstr("no number of runs up to 1,000 a side can")
    );
}

TEST(Unreachable, NamesTheRunsThatWouldDo) {
    EXPECT_EQ(unreachable(Policy{}, 1, 8, 1), "");
    EXPECT_EQ(unreachable(Policy{}, 6, 8, 1), "");
    EXPECT_EQ(
        unreachable(Policy{}, 7, 8, 1),
        "8 runs a side can not decide 7 sampled rows: the smallest p-value that they can reach is "
        "0.0547, over alpha 0.05; 10 runs a side can"
    );
    EXPECT_THAT(unreachable(Policy{}, 1, 2, 1), HasSubstr("0.333, over alpha 0.05; 4 runs"));
    EXPECT_EQ(unreachable(Policy{}, 1, 4, 1), ""); // all runs of both sides are ranked below six
    EXPECT_EQ(unreachable(Policy{}, 1, 8, 3), "");
    EXPECT_THAT(unreachable(Policy{}, 3, 8, 3), HasSubstr("over alpha 0.0167; 10 runs"));
    EXPECT_EQ(unreachable(policy_of({"launches"}), 9, 1, 1), "");
}

} // namespace
} // namespace kvprof::analyzers
