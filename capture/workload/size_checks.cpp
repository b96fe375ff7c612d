#include "capture/model/error.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_checks.h"
#include "capture/workload/plan_ops.h"
#include "kernels/id_math.h"
#include "kernels/launch_geometry.h"

#include <fmt/format.h>

#include <limits>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kMostIds = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostGridRows = 65'535; // the y of a CUDA grid

void check_lengths(const StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    const bool is_one_long = spec.length_law == LengthLaw::one_long && spec.long_len > spec.seq_len;
    if (plan.max_len > plan.context) {
        throw UsageError(
            fmt::format(
                "could not plan the step: lanes reach {} tokens (--{} {}, --delta {}, churn "
                "cycle {}), beyond --max-context {}",
                plan.max_len,
                is_one_long ? "long-len" : "seq-len",
                is_one_long ? spec.long_len : spec.seq_len,
                spec.delta,
                plan.phases,
                plan.context
            ),
            fmt::format("raise --max-context to {}", plan.max_len)
        );
    }
}

void check_stream(const StepPlan& plan) {
    const std::int64_t needed = most_stream_tokens(plan);
    if (needed > plan.stream_capacity()) {
        throw UsageError(
            fmt::format(
                "could not plan the step: stream overflow: the lanes list {} tokens, and the "
                "stream of {} under --stream-bound {} holds {}",
                needed,
                plan.backend.name,
                to_string(plan.spec.stream_bound),
                plan.stream_capacity()
            ),
            plan.spec.stream_bound == StreamBound::pool
                ? "lanes that share a prefix each list it; raise --pool-tokens, or use "
                  "--stream-bound context"
                : "the backend's file says too few bytes for its stream; 4*T or 8*T hold all ids"
        );
    }
    if (needed > kMostIds) {
        throw UsageError(fmt::format(
            "could not plan the step: {} tokens in the lanes do not fit the int32 row starts",
            needed
        ));
    }
}

/// The unified buffer's layout checks its own ids, which are larger by the row blocks.
void check_static_ids(const StepPlan& plan) {
    const std::int64_t ids = plan.full.num_pages * plan.spec.page_size;
    if (!plan.is_unified() && ids > kMostIds) {
        throw UsageError(
            fmt::format(
                "could not plan the step: {} pages of {} tokens have {} ids, and req_to_token "
                "holds ids below {}",
                plan.full.num_pages,
                plan.spec.page_size,
                ids,
                kMostIds
            ),
            "lower --pool-tokens, or --batch and --seq-len"
        );
    }
}

/// The pages that an op works on alone: free ones for a bind, held ones for a free, which takes
/// other pages in each launch of the graph.
void check_micro_pages(const StepPlan& plan) {
    if (!plan.micro_op || !works_on_pages(*plan.micro_op)) {
        return;
    }
    const bool is_free = plan.micro_op == OpKind::free_unbind || plan.micro_op == OpKind::lazy_free;
    const std::int64_t held = peak_pages(plan);
    const std::int64_t wanted = plan.spec.batch * (is_free ? plan.op_launches : 1);
    const std::int64_t left = is_free ? held : plan.full.num_pages - plan.full.min_page - held;
    if (left < wanted) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --op {} works on {} pages and the lanes leave {}",
                to_string(*plan.micro_op),
                wanted,
                left
            ),
            is_free ? "raise --seq-len, or lower --op-launches" : "raise --pool-tokens"
        );
    }
}

/// A window that no lane can fill would be measured as if it were one.
void check_window(const StepPlan& plan) {
    const bool lists_windows = !plan.micro_op || plan.micro_op == OpKind::fused_metadata;
    if (plan.swa && lists_windows && plan.swa->window > plan.context) {
        throw UsageError(
            fmt::format(
                "could not plan the step: the sliding windows of {} have {} tokens, and "
                "--max-context is {}",
                plan.model.name,
                plan.swa->window,
                plan.context
            ),
            fmt::format("raise --max-context to {}", plan.swa->window)
        );
    }
}

/// A compaction moves pages that are bound, each to a hole.
void check_compaction(const StepPlan& plan) {
    const std::int64_t wanted = plan.spec.compact_pages;
    if (wanted == 0) {
        return;
    }
    std::int64_t held = 0;
    for (std::size_t lane = 0; lane < plan.base_lens.size(); ++lane) {
        held += kernels::pages_of(plan.base_lens[lane] + plan.drafts[lane], plan.scheduler_page);
    }
    held -= plan.shared_tokens / plan.scheduler_page * (plan.spec.batch - 1);
    if (wanted > held) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --compact-pages {} moves more pages than the {} that the "
                "lanes hold",
                wanted,
                held
            ),
            fmt::format("use --compact-pages {}", held)
        );
    }
}

/// Fresh pages of an MLA pool are zeroed in words, and a compaction moves pages in words: a block
/// of the grid's y per 2,048 of them.
void check_page_words(const StepPlan& plan) {
    constexpr std::int64_t kWordBytes = 8;
    constexpr std::int64_t kMostPageBytes = kMostGridRows * kernels::kZeroWords * kWordBytes;
    const bool is_zeroed = plan.is_unified() && plan.full.is_mla && plan.spec.churn > 0.0;
    const bool is_moved = plan.spec.compact_pages > 0;
    const std::int64_t bytes = plan.full.page_bytes;
    if ((is_zeroed || is_moved) && (bytes % kWordBytes != 0 || bytes > kMostPageBytes)) {
        throw UsageError(
            fmt::format(
                "could not plan the step: a page of {} has {} B over {} layers, and {} in words of "
                "{} B up to {} B",
                plan.model.name,
                bytes,
                plan.full.layers,
                is_zeroed ? "fresh pages are zeroed" : "a compaction moves pages",
                kWordBytes,
                kMostPageBytes
            ),
            is_zeroed ? "choose another --page-size, or --churn 0"
                      : "choose another --page-size, or --compact-pages 0"
        );
    }
}

/// A step marks each slot of state, and finds it by the mark: a word at the slot's first byte.
void check_state_words(const StepPlan& plan) {
    constexpr std::int64_t kWordBytes = 8;
    if (!plan.state || plan.micro_op || plan.state->slot_bytes % kWordBytes == 0) {
        return;
    }
    throw UsageError(
        fmt::format(
            "could not plan the step: a state slot of {} has {} B at --tp {}, and slots are told "
            "apart by words of {} B",
            plan.model.name,
            plan.state->slot_bytes,
            plan.spec.tp,
            kWordBytes
        ),
        fmt::format(
            "let the preset's [state] have a multiple of {} B, or measure index work alone with "
            "--op",
            kWordBytes
        )
    );
}

} // namespace

void check_sizes(const StepPlan& plan) {
    check_lengths(plan);
    check_stream(plan);
    check_static_ids(plan);
    check_micro_pages(plan);
    check_page_words(plan);
    check_state_words(plan);
    check_window(plan);
    check_compaction(plan);
}

} // namespace kvprof::workload
