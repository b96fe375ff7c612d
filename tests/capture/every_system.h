#pragma once

#include "capture/model/error.h"
#include "capture/workload/step_plan.h"
#include "tests/capture/read_rig.h"

#include <array>
#include <functional>
#include <vector>

/// Small steps of every system of a matrix, for the executors' tests.
namespace kvprof::test {

inline constexpr std::array kTinyPresets{"tiny-mla", "tiny-gqa", "tiny-swa", "tiny-tri"};

/// Proves a step that the rules allow.
using Prove = std::function<void(const StepSpec&)>;

/// @returns whether the rules allow the step, which then was proven.
inline bool is_proven(const StepSpec& spec, const Prove& prove) {
    try {
        static_cast<void>(workload::plan_step(spec, {}));
    } catch (const UsageError&) {
        return false;
    }
    prove(spec);
    return true;
}

/// Ragged lanes at the backend's smallest page size, or at 4.
inline StepSpec system_step(const workload::Backend& backend, const char* preset, PoolKind pool) {
    StepSpec spec = gqa_step(backend.name.c_str());
    spec.preset = preset;
    spec.pool = pool;
    spec.page_size = backend.page_sizes.empty() ? 4 : backend.page_sizes.front();
    spec.length_law = LengthLaw::ragged;
    spec.seq_len = 150;
    return spec;
}

/// The backend at a stage: presets, pools and metadata forms, without drafts, with them, and with
/// their verification. @returns how many the rules allow.
inline int prove_stage(const workload::Backend& backend, HistoryStage stage, const Prove& prove) {
    int proven = 0;
    for (const char* preset : kTinyPresets) {
        for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
            for (const MetadataForm form : backend.forms) {
                StepSpec spec = system_step(backend, preset, pool);
                spec.stage = stage;
                spec.metadata = form;
                proven += is_proven(spec, prove) ? 1 : 0;
                spec.delta = 3;
                proven += is_proven(spec, prove) ? 1 : 0;
                spec.verify = VerifyMode::ragged;
                proven += is_proven(spec, prove) ? 1 : 0;
            }
        }
    }
    return proven;
}

/// Switches of later forms, each to be tried with every backend.
inline std::vector<void (*)(StepSpec&)> later_forms() {
    return {
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
            spec.metadata = MetadataForm::fused;
            spec.placement = Placement::in;
            spec.churn = 0.25;
        },
        [](StepSpec& spec) {
            spec.metadata = MetadataForm::fused;
            spec.consumers = 2;
        },
        [](StepSpec& spec) {
            spec.dcp = 2;
            spec.dcp_rank = 1;
        },
    };
}

/// A later form on the unified pool with every backend and preset. @returns how many it allows.
inline int prove_form(void (*form)(StepSpec&), const Prove& prove) {
    int proven = 0;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        for (const char* preset : kTinyPresets) {
            StepSpec spec = system_step(backend, preset, PoolKind::unified);
            form(spec);
            proven += is_proven(spec, prove) ? 1 : 0;
        }
    }
    return proven;
}

} // namespace kvprof::test
