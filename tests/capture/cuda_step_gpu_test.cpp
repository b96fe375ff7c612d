#include "capture/cuda/cuda_step.h"

#include "capture/cuda/cuda_executor.h"
#include "capture/model/error.h"
#include "capture/verify.h"
#include "capture/workload/plan_ops.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

Check verify_on_device(const StepSpec& spec, const MeasureSpec& how = {}) {
    const auto plan = workload::plan_step(spec, how);
    const auto state = workload::make_state(plan);
    cuda::CudaExecutor executor(0);
    const auto step = executor.prepare(plan, state, how);
    return verify(*step, plan, state);
}

struct Shape {
    friend void PrintTo(const Shape& shape, std::ostream* out) {
        *out << shape.preset << " at page size " << shape.page_size;
    }

    const char* preset;
    const char* backend;
    std::int64_t page_size;
};

class Corners : public testing::TestWithParam<Shape> {};

TEST_P(Corners, EqualTheHostTwinBitForBit) {
    const Shape& shape = GetParam();
    for (const auto& [pool, pool_name] : EnumNames<PoolKind>::values) {
        for (const IndexMode mode : {IndexMode::rectangle, IndexMode::stream}) {
            StepSpec spec = small_step();
            spec.preset = shape.preset;
            spec.attention_backend = shape.backend;
            spec.page_size = shape.page_size;
            spec.pool = pool;
            spec.index_mode = mode;
            spec.seq_len = 150;
            spec.length_law = LengthLaw::ragged;
            const Check check = verify_on_device(spec);
            EXPECT_LT(check.attention_error.value_or(1.0), 5e-3) << pool_name << to_string(mode);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes,
    Corners,
    testing::Values(
        Shape{"tiny-mla", "flashinfer_mla", 1},
        Shape{"tiny-mla", "flashinfer_mla", 3},
        Shape{"tiny-mla", "flashinfer_mla", 64},
        Shape{"tiny-gqa", "triton", 1},
        Shape{"tiny-gqa", "triton", 16}
    )
);

TEST(CudaStep, P5ReplaysStayRightWhileChurnMovesLengthsAndTables) {
    for (const auto& [placement, name] : EnumNames<Placement>::values) {
        for (const std::int64_t page_size : {1, 4}) {
            for (const auto& [form, form_name] : EnumNames<LaunchForm>::values) {
                StepSpec spec = small_step();
                spec.churn = 0.25;
                spec.page_size = page_size;
                spec.placement = placement;
                spec.alloc = form;
                spec.write = form;
                EXPECT_GT(verify_on_device(spec).ids_compared, 0) << name << page_size << form_name;
            }
        }
    }
}

TEST(CudaStep, P15WindowsAndSharedPrefixesAndHolesHold) {
    StepSpec spec = small_step();
    spec.preset = "tiny-swa";
    spec.attention_backend = "triton";
    spec.seq_len = 200;
    EXPECT_GT(verify_on_device(spec).attention_rows, 0);
    spec.index_mode = IndexMode::rectangle;
    spec.prefix_share = 0.5;
    EXPECT_GT(verify_on_device(spec).attention_rows, 0);
    spec.holes = 0.2;
    spec.tombstones = 0.2;
    EXPECT_EQ(verify_on_device(spec).attention_rows, 0);
}

TEST(CudaStep, EveryOpRunsAloneInBothForms) {
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        for (const auto& [form, form_name] : EnumNames<LaunchForm>::values) {
            if (!workload::can_run_alone(op)) {
                continue;
            }
            MeasureSpec how;
            how.op = name;
            how.op_launches = 4;
            const StepSpec spec = test::small_step_for(op, form);
            EXPECT_GT(verify_on_device(spec, how).ids_compared, 0) << name << form_name;
        }
    }
}

TEST(CudaStep, CapturesAsManyKernelNodesAsThePlanLaunches) {
    for (const auto& [placement, name] : EnumNames<Placement>::values) {
        StepSpec spec = small_step();
        spec.placement = placement;
        const StepRig host(spec);
        cuda::CudaExecutor executor(0);
        const auto device = executor.prepare(host.plan, host.state, {});
        std::int64_t in_graph = 0;
        for (const OpStat& stat : host.counts.ops) {
            in_graph += stat.placement == Placement::in ? stat.launches : 0;
        }
        EXPECT_EQ(device->graph_nodes(), in_graph) << name;
    }
}

TEST(CudaStep, VerifiesEverySetOfBuffersThatALoopCyclesThrough) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    MeasureSpec how;
    how.l2 = L2Mode::loop;
    spec.max_context = 8192; // large enough to exceed the cache twice in few sets
    spec.seq_len = 7000;
    spec.batch = 8;
    const auto plan = workload::plan_step(spec, how);
    const auto state = workload::make_state(plan);
    cuda::CudaExecutor executor(0);
    const auto step = executor.prepare(plan, state, how);
    EXPECT_GT(step->copies(), 1);
    EXPECT_GT(verify(*step, plan, state).ids_compared, 0);
}

/// A synchronisation or a pageable copy ends a global capture, so a turn that survives has none.
TEST(CudaStep, P20TheSchedulersTurnNeedsNoWordFromTheDevice) {
    StepSpec spec = small_step();
    spec.churn = 0.5;
    spec.page_size = 4;
    const auto plan = workload::plan_step(spec, {});
    const auto state = workload::make_state(plan);
    cuda::CudaExecutor executor(0);
    cuda::DeviceMemory memory(plan.buffers);
    memory.load(plan, state);
    workload::StepProgram program(plan, memory.table(), state);
    const cuda::Stream stream;
    ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), cudaSuccess);
    for (int step = 0; step < 4; ++step) {
        cuda::issue(program.next_step(), stream, Role::op);
    }
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
    cudaGraphDestroy(graph);
}

TEST(CudaStep, P22GivesBackEveryByteThatItTook) {
    cuda::CudaExecutor executor(0);
    const auto free_now = [&] { return executor.environment().device_free_bytes; };
    const StepRig rig(small_step());
    static_cast<void>(executor.prepare(rig.plan, rig.state, {})->replay(1)); // loads the kernels
    const std::int64_t before = free_now();
    {
        const auto step = executor.prepare(rig.plan, rig.state, {});
        std::int64_t ledger = 0;
        for (const MemoryStat& stat : workload::ledger_of(rig.plan)) {
            ledger += stat.bytes.count;
        }
        EXPECT_GE(before - free_now(), ledger);
    }
    EXPECT_EQ(free_now(), before);
}

TEST(CudaStep, TimesReplaysUnderEveryStateOfTheCache) {
    for (const auto& [mode, name] : EnumNames<L2Mode>::values) {
        MeasureSpec how;
        how.l2 = mode;
        StepSpec spec = small_step();
        spec.max_context = 8192;
        spec.seq_len = 7000;
        const StepRig rig(spec);
        cuda::CudaExecutor executor(0);
        const auto step = executor.prepare(rig.plan, rig.state, how);
        const Sample sample = step->replay(5);
        EXPECT_EQ(sample.replays, 5);
        EXPECT_GT(sample.gpu_time.count(), 0) << name;
        EXPECT_GE(sample.wall_time.count(), sample.gpu_time.count()) << name;
    }
}

TEST(CudaStep, NamesTheBufferThatDoesNotFit) {
    StepSpec spec;
    spec.batch = 256;
    spec.seq_len = 131'072;
    spec.layers = 1;
    const auto plan = workload::plan_step(spec, {}); // 270 GB of latent rows
    cuda::CudaExecutor executor(0);
    EXPECT_THROW(executor.require_room(plan), UnavailableError);
    try {
        static_cast<void>(executor.prepare(plan, {}, {}));
        FAIL() << "a pool larger than the device was allocated";
    } catch (const UnavailableError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("could not allocate kv"), std::string::npos) << text;
        EXPECT_NE(text.find("device memory free"), std::string::npos) << text;
    }
}

TEST(CudaExecutor, RefusesADeviceThatIsNotThere) {
    EXPECT_THROW(cuda::CudaExecutor(99), UnavailableError);
}

TEST(CudaExecutor, KnowsItsDevice) {
    const Environment environment = cuda::CudaExecutor(0).environment();
    EXPECT_EQ(environment.executor, "cuda");
    EXPECT_EQ(environment.device_uuid.substr(0, 4), "GPU-");
    EXPECT_GT(environment.sm_count, 0);
}

} // namespace
