#include "capture/cuda/cuda_executor.h"
#include "capture/cuda/cupti_recorder.h"
#include "capture/observe.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using testing::IsEmpty;

/// A process has one CUPTI session, opened before CUDA starts: this test has a program to itself.
TEST(Cupti, EveryRecordOfAChurnedStepOnTheDeviceHasItsOp) {
    StepSpec spec = test::small_step();
    spec.churn = 0.25; // lengths repeat after 4 steps, and who holds the pages after 8
    spec.placement = Placement::in;
    spec.alloc = LaunchForm::eager;
    MeasureSpec how;
    how.executor = ExecutorKind::cuda;
    how.trace_steps = 400;
    how.warmup_max_s = 1.0;
    cuda::CuptiRecorder recorder(cuda::load_cupti(), Pass::nodes);
    cuda::CudaExecutor executor(0);
    const kvprof::Run run = observe(Pass::nodes, &recorder, executor, spec, how);

    const PassResult& seen = run.passes.front();
    EXPECT_THAT(seen.failure, IsEmpty());
    EXPECT_THAT(run.conditions, IsEmpty());
    EXPECT_EQ(seen.steps, 400);
    EXPECT_EQ(seen.dropped, 0);
    EXPECT_EQ(seen.untimed, 0);
    EXPECT_EQ(seen.orphans, 0);
    EXPECT_EQ(seen.unattributed, 0);
    EXPECT_EQ(seen.by_node + seen.by_launch, seen.records);
    std::int64_t in_graph = 0;
    for (const KernelStat& kernel : run.kernels) {
        in_graph += kernel.placement == Placement::in ? kernel.launches : 0;
    }
    EXPECT_EQ(seen.by_node, in_graph);
    EXPECT_GT(seen.nodes_cross_checked, 0);
    // observe() itself compared the records of each op with the plan.
    EXPECT_GT(run.op_samples.size(), 400U);
}

} // namespace
