#include "tests/capture/every_system.h"

#include "capture/cuda/cuda_executor.h"
#include "capture/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;

void prove_on_device(const StepSpec& spec) {
    const auto plan = workload::plan_step(spec, {});
    const auto state = workload::make_state(plan);
    cuda::CudaExecutor executor(0);
    const auto step = executor.prepare(plan, state, {});
    const Check check = verify(*step, plan, state);
    EXPECT_LT(check.attention_error.value_or(1.0), 5e-3) << testing::PrintToString(spec);
}

class EverySystemOnDevice : public testing::TestWithParam<HistoryStage> {};

TEST_P(EverySystemOnDevice, P21OfThisStageIsProvenOnBothPoolsWithDraftsAndWithout) {
    int proven = 0;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        const int of_backend = test::prove_stage(backend, GetParam(), prove_on_device);
        EXPECT_GT(of_backend, 0) << backend.name;
        proven += of_backend;
    }
    EXPECT_GT(proven, 150);
}

INSTANTIATE_TEST_SUITE_P(
    Stages,
    EverySystemOnDevice,
    testing::Values(
        HistoryStage::before,
        HistoryStage::after_37511,
        HistoryStage::after_37512,
        HistoryStage::after_fused_write
    )
);

TEST(EverySystemOnDevice, P21OfEachLaterFormIsProven) {
    const auto forms = test::later_forms();
    for (std::size_t form = 0; form < forms.size(); ++form) {
        EXPECT_GT(test::prove_form(forms[form], prove_on_device), 1) << form;
    }
}

} // namespace
