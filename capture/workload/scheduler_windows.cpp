#include "capture/workload/lanes.h"
#include "capture/workload/scheduler.h"
#include "capture/workload/window_math.h"

namespace kvprof::workload {

/// The full pool's pages get a counterpart among the windows' own. Unified: the same virtual pages
/// are bound a second time. Static: pages of another free list, behind the map.
void Scheduler::bind_windows(std::int64_t* full_pages, std::int64_t count, Commands& out) {
    if (count == 0) {
        return;
    }
    if (views_.plan.is_unified()) {
        bind_pages(swa_, full_pages, count, out);
        return;
    }
    Emitter map = scheduler_op(out, OpKind::full_to_swa);
    emit_window_map(views_, {full_pages, take_free(swa_, count), count}, map);
}

/// Frees the windows' counterparts of full pages; the full pages stay as they are.
void Scheduler::free_windows(const PageSpan& pages, Commands& out) {
    if (pages.count == 0) {
        return;
    }
    Emitter free = scheduler_op(out, OpKind::swa_free);
    if (views_.plan.is_unified()) {
        emit_free_unbind(views_, tables_of(views_, StateKind::swa), pages, free);
        swa_.holes.append(pages.ppages, pages.count, free);
    } else {
        emit_window_unmap(views_, pages, free);
        swa_.free.append(pages.ppages, pages.count, free);
    }
}

/// Lists the pages that this step's tokens push out of their lanes' windows: the first token of
/// each in req_to_token names it. Cells that lie evenly far apart take one launch together. Returns
/// how many there are.
std::int64_t Scheduler::name_left_pages(std::int64_t* pages, Commands& out) const {
    const StepPlan& plan = views_.plan;
    std::vector<std::int64_t> cells;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t length = length_in_phase(plan, lane, phase_);
        if (!is_replaced(plan, lane, phase_) && leaves_window_page(plan, length)) {
            const std::int64_t page = first_window_page(plan, length) - 1;
            cells.push_back((lane + 1) * plan.req_columns + page * plan.spec.page_size);
        }
    }
    const auto total = static_cast<std::int64_t>(cells.size());
    Emitter names = scheduler_op(out, OpKind::swa_free);
    for (std::size_t first = 0, last = 0; first < cells.size(); first = last) {
        last = first + 1;
        const std::int64_t step = last < cells.size() ? cells[last] - cells[first] : 1;
        while (last < cells.size() && cells[last] - cells[last - 1] == step) {
            ++last;
        }
        const auto* const cell = views_.at<std::int32_t>(BufferId::req_to_token) + cells[first];
        names.add(kernels::MapCall{
            .op = kernels::MapOp::floor_div,
            .a = {cell, kernels::IndexType::i32, 0, step},
            .scalar = plan.spec.page_size,
            .out = {pages + first},
            .cols = static_cast<std::int64_t>(last - first),
        });
    }
    return total;
}

void Scheduler::leave_windows(Commands& out) {
    auto* const pages = views_.at<std::int64_t>(BufferId::swa_vpages);
    const std::int64_t count = name_left_pages(pages, out);
    free_windows({pages, views_.at<std::int64_t>(BufferId::swa_ppages), count}, out);
}

} // namespace kvprof::workload
