#include "capture/cuda/cuda_executor.h"
#include "capture/model/error.h"
#include "capture/verify.h"
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
    const char* preset;
    AttentionBackend backend;
    std::int64_t page_size;
};

class Corners : public testing::TestWithParam<Shape> {};

TEST_P(Corners, EqualTheHostTwinBitForBit) {
    const Shape& shape = GetParam();
    for (const auto& [pool, pool_name] : EnumNames<PoolKind>::values) {
        for (const auto& [mode, mode_name] : EnumNames<IndexMode>::values) {
            StepSpec spec = small_step();
            spec.preset = shape.preset;
            spec.attention_backend = shape.backend;
            spec.page_size = shape.page_size;
            spec.pool = pool;
            spec.index_mode = mode;
            spec.seq_len = 150;
            spec.length_law = LengthLaw::ragged;
            const Check check = verify_on_device(spec);
            EXPECT_LT(check.attention_error.value_or(1.0), 5e-3) << pool_name << mode_name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes,
    Corners,
    testing::Values(
        Shape{"tiny-mla", AttentionBackend::flashinfer_mla, 1},
        Shape{"tiny-mla", AttentionBackend::flashinfer_mla, 3},
        Shape{"tiny-mla", AttentionBackend::flashinfer_mla, 64},
        Shape{"tiny-gqa", AttentionBackend::triton, 1},
        Shape{"tiny-gqa", AttentionBackend::triton, 16}
    )
);

TEST(CudaStep, P5ReplaysStayRightWhileChurnMovesLengthsAndTables) {
    for (const auto& [placement, name] : EnumNames<Placement>::values) {
        for (const std::int64_t page_size : {1, 4}) {
            for (const auto& [form, form_name] : EnumNames<LaunchForm>::values) {
                StepSpec spec = small_step();
                spec.churn = 0.3;
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
    spec.attention_backend = AttentionBackend::triton;
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
            StepSpec spec = small_step();
            spec.pool_tokens = 1024;
            spec.table = form;
            spec.indptr = form;
            spec.write = form;
            spec.alloc = form;
            spec.dcp = 2;
            spec.dcp_rank = 1;
            MeasureSpec how;
            how.op = name;
            how.op_launches = 4;
            try {
                static_cast<void>(workload::plan_step(spec, how));
            } catch (const UsageError&) {
                continue; // not an op that runs alone
            }
            EXPECT_GT(verify_on_device(spec, how).ids_compared, 0) << name << form_name;
        }
    }
}

TEST(CudaStep, CountsTheNodesThatTheHostWouldCapture) {
    for (const auto& [placement, name] : EnumNames<Placement>::values) {
        StepSpec spec = small_step();
        spec.placement = placement;
        const StepRig host(spec);
        cuda::CudaExecutor executor(0);
        const auto device = executor.prepare(host.plan, host.state, {});
        EXPECT_EQ(device->graph_nodes(), host.step->graph_nodes()) << name;
        static_cast<void>(device->replay(1));
        host.run();
        EXPECT_EQ(device->ops(), host.step->ops()) << name;
    }
}

TEST(CudaStep, TimesReplaysUnderEveryStateOfTheCache) {
    for (const auto& [mode, name] : EnumNames<L2Mode>::values) {
        MeasureSpec how;
        how.l2 = mode;
        const StepRig rig(small_step());
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
