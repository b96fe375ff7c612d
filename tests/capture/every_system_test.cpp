#include "capture/model/error.h"
#include "capture/verify.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::StepRig;

/// Proves the step unless a rule refuses it. @returns whether it ran.
bool is_proven(const StepSpec& spec) {
    try {
        static_cast<void>(workload::plan_step(spec, {}));
    } catch (const UsageError&) {
        return false;
    }
    const StepRig rig(spec);
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_LT(check.attention_error.value_or(1.0), 1e-4) << testing::PrintToString(spec);
    return true;
}

StepSpec spec_of(const workload::Backend& backend, const char* preset, PoolKind pool) {
    StepSpec spec = test::gqa_step(backend.name.c_str());
    spec.preset = preset;
    spec.pool = pool;
    spec.page_size = backend.page_sizes.empty() ? 4 : backend.page_sizes.front();
    spec.length_law = LengthLaw::ragged;
    spec.seq_len = 150;
    return spec;
}

class EverySystem : public testing::TestWithParam<HistoryStage> {};

TEST_P(EverySystem, P21OfThisStageIsProvenOnBothPoolsWithDraftsAndWithout) {
    int proven = 0;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        int of_backend = 0;
        for (const char* preset : {"tiny-mla", "tiny-gqa", "tiny-swa"}) {
            for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
                for (const MetadataForm form : backend.forms) {
                    StepSpec spec = spec_of(backend, preset, pool);
                    spec.stage = GetParam();
                    spec.metadata = form;
                    of_backend += is_proven(spec) ? 1 : 0;
                    spec.delta = 3;
                    of_backend += is_proven(spec) ? 1 : 0;
                    spec.verify = VerifyMode::ragged;
                    of_backend += is_proven(spec) ? 1 : 0;
                }
            }
        }
        EXPECT_GT(of_backend, 0) << backend.name;
        proven += of_backend;
    }
    EXPECT_GT(proven, 100);
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

/// Switches of later forms, each with every backend that takes it.
TEST(EverySystem, P21OfEachLaterFormIsProven) {
    const std::vector<void (*)(StepSpec&)> forms{
        [](StepSpec& spec) { spec.table_tail = TableTail::zero; },
        [](StepSpec& spec) { spec.table = LaunchForm::eager; },
        [](StepSpec& spec) { spec.id_space = IdSpace::physical; },
        [](StepSpec& spec) { spec.consumers = 2; },
        [](StepSpec& spec) {
            spec.consumers = 3;
            spec.share = Share::plan;
        },
        [](StepSpec& spec) { spec.compact_pages = 2; },
        [](StepSpec& spec) { spec.index_mode = IndexMode::both; },
        [](StepSpec& spec) { spec.placement = Placement::in; },
        [](StepSpec& spec) { spec.churn = 0.25; },
        [](StepSpec& spec) {
            spec.dcp = 2;
            spec.dcp_rank = 1;
        },
    };
    for (std::size_t form = 0; form < forms.size(); ++form) {
        int proven = 0;
        for (const workload::Backend& backend : workload::built_in_backends()) {
            for (const char* preset : {"tiny-mla", "tiny-gqa", "tiny-swa"}) {
                StepSpec spec = spec_of(backend, preset, PoolKind::unified);
                forms[form](spec);
                proven += is_proven(spec) ? 1 : 0;
            }
        }
        EXPECT_GT(proven, 1) << form;
    }
}

} // namespace
