#include "capture/workload/checked_region.h"

#include "kernels/id_math.h"

#include <algorithm>
#include <array>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kGuardElements = 64;

/// Elements of a row that a step may write, the guard not counted.
std::int64_t live_columns(const StepPlan& plan, const BufferSpec& buffer) {
    if (buffer.id == BufferId::req_to_token) {
        return kernels::pages_of(plan.max_len, plan.spec.page_size) * plan.spec.page_size;
    }
    if (buffer.id == BufferId::stream) {
        return most_stream_tokens(plan);
    }
    if (buffer.rows > 1) {
        return kernels::pages_of(plan.max_len, plan.spec.page_size);
    }
    return buffer.columns;
}

} // namespace

std::optional<Region> checked_region(const StepPlan& plan, const BufferSpec& buffer) {
    if (!buffer.is_output || buffer.id == BufferId::output) {
        return std::nullopt;
    }
    const std::int64_t columns =
        std::min(live_columns(plan, buffer) + kGuardElements, buffer.columns);
    const std::int64_t rows = std::min(buffer.rows, plan.bucket + 1);
    return Region{rows, columns * buffer.element_bytes, buffer.columns * buffer.element_bytes, 0};
}

bool is_poisoned(const InitialState& state, const BufferSpec& buffer) {
    // A captured tail keeps the zeroes that it was allocated with.
    constexpr std::array kZeroed{
        BufferId::write_loc, BufferId::swa_write_loc, BufferId::indptr, BufferId::window_indptr};
    const bool is_zeroed = std::find(kZeroed.begin(), kZeroed.end(), buffer.id) != kZeroed.end();
    const bool is_given =
        std::any_of(state.buffers.begin(), state.buffers.end(), [&](const InitialBuffer& given) {
            return given.id == buffer.id;
        });
    return buffer.is_output && !is_given && !is_zeroed;
}

} // namespace kvprof::workload
