#include "capture/workload/index_tuning.h"

#include "capture/model/error.h"
#include "capture/workload/plan_ops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace kvprof::workload {

namespace {

/// What an option gives, 0 leaving what is shipped; a value past an int stays one that no kernel
/// takes.
int given(std::int64_t value, int shipped) {
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    return value == 0 ? shipped : static_cast<int>(std::clamp<std::int64_t>(value, -1, kMost));
}

kernels::Split split_of(IndexSplit split, kernels::Split shipped) {
    switch (split) {
    case IndexSplit::automatic: break;
    case IndexSplit::rows: return kernels::Split::rows;
    case IndexSplit::flat: return kernels::Split::flat;
    case IndexSplit::balanced: return kernels::Split::balanced;
    }
    return shipped;
}

void check_compiled(const StepSpec& spec, const char* kernel, const kernels::Tuning& shipped) {
    const kernels::Tuning wanted = tuned(spec, shipped);
    if (wanted == shipped || kernels::is_supported(wanted)) {
        return;
    }
    throw UsageError(
        fmt::format(
            "could not plan the step: the {} is not compiled with {} threads, {} items and {} "
            "blocks",
            kernel,
            wanted.threads,
            wanted.items,
            wanted.target_blocks
        ),
        fmt::format(
            "--index-threads takes {}, --index-items {}, --index-blocks 1 to {}",
            fmt::join(kernels::kTunableThreads, ", "),
            fmt::join(kernels::kTunableItems, ", "),
            kernels::kMostTargetBlocks
        )
    );
}

/// Why no launch of the plan takes the options; empty where one does.
const char* idle_reason(const StepPlan& plan, bool has_table, bool has_stream) {
    if (!has_table && !has_stream) {
        return "nothing in it launches the page table's kernel or the token stream's";
    }
    return plan.spec.grid == Grid::ctx ? "--grid ctx has a geometry of its own" : "";
}

} // namespace

kernels::Tuning tuned(const StepSpec& spec, kernels::Tuning shipped) {
    const bool keeps_edges = spec.launch_edges == LaunchEdges::automatic;
    return {
        .threads = given(spec.index_threads, shipped.threads),
        .items = given(spec.index_items, shipped.items),
        .target_blocks = given(spec.index_blocks, shipped.target_blocks),
        .split = split_of(spec.index_split, shipped.split),
        .starts_early =
            keeps_edges ? shipped.starts_early : spec.launch_edges == LaunchEdges::programmatic,
    };
}

bool is_tuned(const StepSpec& spec) {
    return spec.index_split != IndexSplit::automatic || spec.index_threads != 0
           || spec.index_items != 0 || spec.index_blocks != 0;
}

void check_tuning(const StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    if (!is_tuned(spec)) {
        return;
    }
    const bool is_rectangle = spec.index_mode == IndexMode::rectangle;
    const bool packs_alone = plan.micro_op == OpKind::token_stream && is_rectangle;
    const bool has_table = plan.is_unified() && spec.table != LaunchForm::eager
                           && (has_op(plan, OpKind::page_table) || packs_alone);
    const bool has_stream =
        plan.is_unified() && !plan.is_dcp() && !packs_alone
        && (has_op(plan, OpKind::token_stream) || has_op(plan, OpKind::window_stream));
    if (const std::string why = idle_reason(plan, has_table, has_stream); !why.empty()) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --index-split, --index-threads, --index-items and "
                "--index-blocks have no effect on this step: {}",
                why
            ),
            "leave them out"
        );
    }
    if (has_table) {
        check_compiled(spec, "page table", kernels::kPageTableTuning);
    }
    if (has_stream) {
        check_compiled(spec, "token stream", kernels::kTokenStreamTuning);
    }
}

} // namespace kvprof::workload
