#include "capture/experiment/validity.h"

#include <fmt/format.h>

namespace kvprof::experiment {

std::string void_reason(const Run& run, std::int64_t attempt) {
    if (run.status.state != RunState::complete) {
        return {};
    }
    const bool had_time = run.measure.warmup_max_s >= MeasureSpec{}.warmup_max_s;
    for (const Condition& condition : run.conditions) {
        const bool is_unsteady =
            condition.kind == ConditionKind::not_steady && attempt == 0 && had_time;
        if (condition.pass == Pass::timing && (is_void(condition.kind) || is_unsteady)) {
            return fmt::format("{}: {}", to_string(condition.kind), condition.detail);
        }
    }
    return {};
}

} // namespace kvprof::experiment
