#include "capture/model/error.h"
#include "capture/workload/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvprof::workload {

namespace {

/// An option that would be stored as if it had an effect on the op that runs alone.
struct IdleOption {
    const char* name;
    bool is_set;
    bool has_effect;
    const char* reason;
};

void refuse_idle_options(const StepSpec& spec, OpKind op) {
    const bool is_free = op == OpKind::free_unbind || op == OpKind::lazy_free;
    const char* const whole = "only a whole step has it: leave --op out";
    const std::array options{
        IdleOption{
            "--tombstones",
            spec.tombstones > 0.0,
            !is_free,
            "what is freed is bound again before the next replay, and a tombstone has no page"},
        IdleOption{
            "--holes",
            spec.holes > 0.0,
            !is_free,
            "a free takes its pages from a list and reads no req_to_token"},
        IdleOption{
            "--dcp",
            spec.dcp > 1,
            op == OpKind::write_loc_dcp || op == OpKind::dcp_stream,
            "measure its paths alone with --op write-loc-dcp and --op dcp-stream"},
        IdleOption{"--churn", spec.churn > 0.0, false, whole},
        IdleOption{
            "--placement in",
            spec.placement == Placement::in,
            false,
            "an op that runs alone is always recorded in the graph"},
        IdleOption{"--layers", spec.layers > 0, false, whole},
        IdleOption{"--consumers", spec.consumers > 1, false, whole},
        IdleOption{"--verify", spec.verify != VerifyMode::off, false, whole},
        IdleOption{
            "--compact-pages",
            spec.compact_pages > 0,
            op == OpKind::compaction_move,
            "measure a compaction alone with --op compaction-move"},
        IdleOption{"--query-heads", spec.query_heads > 0, false, whole},
        IdleOption{
            "--grid ctx",
            spec.grid == Grid::ctx,
            op != OpKind::fused_metadata,
            "its grid comes from the batch"},
    };
    for (const IdleOption& option : options) {
        if (option.is_set && !option.has_effect) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: {} has no effect on --op {}",
                    option.name,
                    to_string(op)
                ),
                option.reason
            );
        }
    }
}

} // namespace

void check_micro_op(const StepSpec& spec, OpKind op) {
    refuse_idle_options(spec, op);
    constexpr std::array kPhysical{
        OpKind::static_gather,
        OpKind::static_block_table,
        OpKind::indptr,
        OpKind::append,
        OpKind::alloc_decode,
        OpKind::write_loc_dcp,
        OpKind::dcp_stream,
        OpKind::fa_metadata,
        OpKind::trtllm_metadata,
        OpKind::swa_write_loc,
        OpKind::state_slots};
    const bool is_physical = std::find(kPhysical.begin(), kPhysical.end(), op) != kPhysical.end();
    if (spec.pool == PoolKind::statik && !is_physical) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --op {} translates virtual ids, and --pool static has "
                "none",
                to_string(op)
            ),
            "use --pool unified"
        );
    }
    if (op == OpKind::compaction_move && spec.compact_pages == 0) {
        throw UsageError(
            "could not plan the step: --op compaction-move moves --compact-pages 0",
            "say how many pages: --compact-pages 64"
        );
    }
}

void check_micro_model(const ModelSpec& model, OpKind op) {
    const bool lacks_windows = op == OpKind::swa_write_loc && model.swa.layers == 0;
    const bool lacks_state = op == OpKind::state_slots && model.state.layers == 0;
    if (lacks_windows || lacks_state) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --op {} works on {}, and {} has none",
                to_string(op),
                lacks_windows ? "sliding windows" : "state layers",
                model.name
            ),
            "use another --preset"
        );
    }
}

} // namespace kvprof::workload
