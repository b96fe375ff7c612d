#pragma once

#include "capture/workload/step_plan.h"
#include "kernels/id_math.h"

#include <algorithm>
#include <cstdint>

/// Which tokens and pages sliding windows cover, by lengths alone: the host knows them without a
/// word from the device. Each function needs plan.swa.
namespace kvprof::workload {

/// First page of a lane of `length` tokens that its window still covers.
[[nodiscard]] inline std::int64_t first_window_page(const StepPlan& plan, std::int64_t length) {
    return std::max<std::int64_t>(length - plan.swa->window, 0) / plan.spec.page_size;
}

/// Whether the token that makes a lane `length` long moves its window past the end of a page, which
/// is then page first_window_page(plan, length) - 1.
[[nodiscard]] inline bool leaves_window_page(const StepPlan& plan, std::int64_t length) {
    return first_window_page(plan, length) > first_window_page(plan, length - 1);
}

/// Pages that one window covers at most, wherever it starts in a page.
[[nodiscard]] inline std::int64_t most_window_pages(const StepPlan& plan) {
    return kernels::pages_of(plan.swa->window - 1, plan.spec.page_size) + 1;
}

/// Pages of sliding windows that the scheduler binds or frees at once: one a lane, or those of a
/// whole request.
[[nodiscard]] inline std::int64_t most_window_pages_at_once(const StepPlan& plan) {
    return std::max(plan.spec.batch, most_window_pages(plan));
}

/// Elements of swa_vpages and of swa_ppages: a list of pages, and on a static pool above page size
/// 1 the ids of all their tokens behind it.
[[nodiscard]] inline std::int64_t window_list_items(const StepPlan& plan) {
    const std::int64_t pages = most_window_pages_at_once(plan);
    const bool lists_tokens = !plan.is_unified() && plan.spec.page_size > 1;
    return pages + (lists_tokens ? pages * plan.spec.page_size : 0);
}

/// Ids that the window stream lists at most in a step, padded lanes included.
[[nodiscard]] std::int64_t most_window_tokens(const StepPlan& plan);

} // namespace kvprof::workload
