#include "tests/import/profile_rig.h"

#include <gmock/gmock.h>

namespace kvprof::import {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

using test::ProfileRig;

/// Launches of which every one ran a kernel of 10 ns, 100 ns apart.
void add_launches(ProfileRig& rig, std::uint64_t count) {
    for (std::uint64_t i = 1; i <= count; ++i) {
        const auto at = static_cast<std::int64_t>(i) * 100;
        rig.call("cudaLaunchKernel", {.start = at, .duration = 5, .correlation = i});
        rig.kernel({.start = at + 50, .duration = 10, .correlation = i});
    }
}

TEST(BuilderWarnings, NoneOfAWholeFile) {
    ProfileRig rig;
    add_launches(rig, 20);
    EXPECT_THAT(rig.finish().file.profile.warnings, IsEmpty());
}

TEST(BuilderWarnings, TellNothingFromNoGpuWork) {
    EXPECT_EQ(ProfileRig().finish().warned("no-events"), 1);

    ProfileRig host_only;
    host_only.op({.start = 0, .duration = 10});
    const auto built = host_only.finish();
    EXPECT_EQ(built.warned("no-events"), 0);
    EXPECT_EQ(built.warned("no-gpu-activity"), 1);
}

TEST(BuilderWarnings, CountOrphansThatNameACall) {
    ProfileRig rig;
    add_launches(rig, 1);
    rig.kernel({.start = 900, .duration = 1, .correlation = 77});
    rig.kernel({.start = 950, .duration = 1}); // names none: it proves nothing
    EXPECT_EQ(rig.finish().warned("orphan-kernels"), 1);

    ProfileRig without_calls;
    without_calls.kernel({.start = 0, .duration = 1, .correlation = 77});
    EXPECT_EQ(without_calls.finish().warned("orphan-kernels"), 0);
}

TEST(BuilderWarnings, LeaveTheOverlapOfDependentLaunchesAlone) {
    ProfileRig early;
    early.kernel({.start = 0, .duration = 100});
    early.kernel({.start = 90, .duration = 110}); // 10 of 210 ns
    EXPECT_EQ(early.finish().warned("same-stream-overlap"), 0);

    ProfileRig overrun;
    overrun.kernel({.start = 0, .duration = 100});
    overrun.kernel({.start = 80, .duration = 120}); // 20 of 220 ns
    EXPECT_EQ(overrun.finish().warned("same-stream-overlap"), 1);
}

TEST(BuilderWarnings, OfLaunchesWithoutKernelsNeedsMoreThanTheEdges) {
    for (const std::uint64_t missing : {9U, 10U}) {
        ProfileRig rig;
        add_launches(rig, 100);
        for (std::uint64_t i = 0; i < missing; ++i) {
            rig.call("cudaLaunchKernel", {.start = 1, .duration = 1, .correlation = 500 + i});
        }
        EXPECT_EQ(rig.finish().warned("launches-without-kernels"), missing == 10 ? 10 : 0);
    }
    ProfileRig few_of_many;
    add_launches(few_of_many, 190);
    for (std::uint64_t i = 0; i < 10; ++i) {
        few_of_many.call("cudaLaunchKernel", {.start = 1, .duration = 1, .correlation = 500 + i});
    }
    EXPECT_EQ(few_of_many.finish().warned("launches-without-kernels"), 0); // 10 of 200
}

TEST(BuilderWarnings, OfGraphs) {
    ProfileRig rig;
    rig.call("cudaGraphLaunch", {.start = 0, .duration = 1, .correlation = 1});
    rig.call("cudaGraphLaunch", {.start = 5, .duration = 1, .correlation = 2});
    rig.work(EventKind::graph_replay, {.start = 10, .duration = 5, .correlation = 1});
    rig.work(EventKind::graph_replay, {.correlation = 9, .has_time = false});
    const auto built = rig.finish();
    EXPECT_EQ(built.warned("graph-level-trace"), 2);
    EXPECT_EQ(built.warned("graph-without-timestamp"), 1);
    EXPECT_EQ(built.warned("graph-without-kernels"), 1);
}

TEST(BuilderWarnings, CountWorkWithoutATimestamp) {
    ProfileRig rig;
    rig.kernel({.has_time = false});
    rig.work(EventKind::memory_copy, {.has_time = false});
    EXPECT_EQ(rig.finish().warned("kernels-without-timestamp"), 2);
}

TEST(BuilderWarnings, ComeInOrderOfTheirWordsWithCountsAdded) {
    ProfileRig rig;
    add_launches(rig, 1);
    rig.builder.warn("trailing-comma", "first", 2);
    rig.builder.reject("negative-duration");
    rig.builder.reject("absurd-duration");
    rig.builder.reject("negative-duration");
    rig.builder.warn("trailing-comma", "second");
    const auto built = rig.finish();
    EXPECT_THAT(
        built.file.profile.warnings,
        ElementsAre(
            Field(&ProfileWarning::word, "absurd-duration"),
            Field(&ProfileWarning::word, "negative-duration"),
            ProfileWarning{"trailing-comma", 3, "first"}
        )
    );
    EXPECT_EQ(built.warned("negative-duration"), 2);
    EXPECT_EQ(built.figure("quality.rejected"), 3);
}

} // namespace
} // namespace kvprof::import
