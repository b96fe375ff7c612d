#include "capture/workload/window_math.h"

#include "capture/workload/lanes.h"

namespace kvprof::workload {

std::int64_t most_window_tokens(const StepPlan& plan) {
    const std::int64_t window = plan.swa->window;
    std::int64_t most = 0;
    for (std::int64_t phase = 0; phase < plan.phases; ++phase) {
        std::int64_t tokens = 0;
        for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
            const std::int64_t length =
                lane < plan.spec.batch ? length_in_phase(plan, lane, phase) : 1;
            tokens += std::min(length + draft_of(plan, lane), window);
        }
        most = std::max(most, tokens);
    }
    return most;
}

} // namespace kvprof::workload
