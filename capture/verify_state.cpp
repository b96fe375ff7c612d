#include "capture/verify_state.h"

#include "capture/model/error.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_ops.h"
#include "kernels/content.h"

#include <fmt/format.h>

#include <cstring>

namespace kvprof {

namespace {

using workload::BufferId;
using workload::StepPlan;

std::vector<std::uint64_t> read_words(const PreparedStep& step, std::int64_t lanes) {
    const std::int64_t row_bytes = lanes * static_cast<std::int64_t>(sizeof(std::uint64_t));
    const auto bytes = step.read(BufferId::state_words, {1, row_bytes, row_bytes, 0}, 0);
    std::vector<std::uint64_t> words(static_cast<std::size_t>(lanes));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

} // namespace

void verify_state(
    const PreparedStep& step, const StepPlan& plan, std::int64_t steps, Check& check
) {
    if (!workload::has_op(plan, OpKind::state_read)) {
        return;
    }
    const std::int64_t last_step = workload::step_after(plan, steps);
    const auto seed = static_cast<std::uint64_t>(plan.spec.seed);
    const auto words = read_words(step, plan.spec.batch);
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t owner = workload::owner_in_step(plan, lane, last_step);
        const auto wanted = kernels::content_key(seed, owner, kernels::kStateWord);
        const auto got = words[static_cast<std::size_t>(lane)];
        if (got != wanted) {
            throw VerifyError(
                fmt::format(
                    "could not verify state_words: lane {} read {:#x} from its slot, and its "
                    "request left {:#x}",
                    lane,
                    got,
                    wanted
                ),
                "a state slot or the reader is wrong; no time of it is reported"
            );
        }
    }
    check.ids_compared += plan.spec.batch;
}

} // namespace kvprof
