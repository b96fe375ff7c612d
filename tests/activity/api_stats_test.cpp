#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::activity::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NamedCall call(const std::string& function, const Tag& tag, std::int64_t calls) {
    return {
        function, {.kind = ApiKind::kernel_launch, .tag = tag, .calls = calls, .first_step = 0}};
}

TEST(ApiStats, ShowWhatOpsAndReplaysCallInSteps) {
    Recording recording;
    recording.calls = {
        call("cudaLaunchKernel", op_tag(OpKind::write_loc, Placement::out), 6),
        call("cudaGraphLaunch", kReplayTag, 3)};
    EXPECT_THAT(
        api_stats(recording),
        ElementsAre(
            ApiStat{
                .call = "cudaLaunchKernel",
                .kind = ApiKind::kernel_launch,
                .role = Role::op,
                .op = OpKind::write_loc,
                .calls = 6},
            ApiStat{
                .call = "cudaGraphLaunch",
                .kind = ApiKind::kernel_launch,
                .role = Role::replay,
                .calls = 3}
        )
    );
}

TEST(ApiStats, LeaveOutCallsOutsideSteps) {
    Recording recording;
    recording.calls = {
        call("cudaMemcpyAsync", {}, 5),
        call("cudaLaunchKernel", op_tag(OpKind::write_loc, Placement::out), 6)};
    recording.calls[0].count.first_step = -1;
    recording.calls[1].count.first_step = -1;
    EXPECT_THAT(api_stats(recording), IsEmpty());
}

TEST(ApiStats, KeepCapturedCallsApartThoughTheyCameBeforeTheSteps) {
    Recording recording;
    const Tag tag = op_tag(OpKind::write_loc, Placement::in);
    recording.calls = {call("cudaLaunchKernel", tag, 40), call("cudaLaunchKernel", tag, 2)};
    recording.calls[0].count.is_captured = true;
    recording.calls[0].count.first_step = -1;
    const std::vector<ApiStat> stats = api_stats(recording);
    ASSERT_EQ(stats.size(), 2U);
    EXPECT_TRUE(stats[0].is_captured);
    EXPECT_EQ(stats[0].calls, 40);
    EXPECT_EQ(stats[1].calls, 2);
}

TEST(ApiStats, AddUpPlacementsOfAnOp) {
    Recording recording;
    recording.calls = {
        call("cudaLaunchKernel", op_tag(OpKind::write_loc, Placement::out), 6),
        call("cudaLaunchKernel", op_tag(OpKind::write_loc, Placement::in), 4)};
    recording.calls[1].count.failed = 1;
    const std::vector<ApiStat> stats = api_stats(recording);
    ASSERT_EQ(stats.size(), 1U);
    EXPECT_EQ(stats[0].calls, 10);
    EXPECT_EQ(stats[0].failed, 1);
}

} // namespace

} // namespace kvprof::activity::test
