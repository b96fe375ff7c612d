#include "tests/capture/every_system.h"

#include "capture/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;

void prove_on_host(const StepSpec& spec) {
    const test::StepRig rig(spec);
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_LT(check.attention_error.value_or(1.0), 1e-4) << testing::PrintToString(spec);
}

class EverySystem : public testing::TestWithParam<HistoryStage> {};

TEST_P(EverySystem, P21OfThisStageIsProvenOnBothPoolsWithDraftsAndWithout) {
    int proven = 0;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        const int of_backend = test::prove_stage(backend, GetParam(), prove_on_host);
        EXPECT_GT(of_backend, 0) << backend.name;
        proven += of_backend;
    }
    EXPECT_GT(proven, 150);
}

INSTANTIATE_TEST_SUITE_P(
    Stages,
    EverySystem,
    testing::Values(
        HistoryStage::before,
        HistoryStage::after_37511,
        HistoryStage::after_37512,
        HistoryStage::after_fused_write
    )
);

TEST(EverySystem, P21OfEachLaterFormIsProven) {
    const auto forms = test::later_forms();
    for (std::size_t form = 0; form < forms.size(); ++form) {
        EXPECT_GT(test::prove_form(forms[form], prove_on_host), 1) << form;
    }
}

} // namespace
