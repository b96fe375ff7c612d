#include "capture/workload/checked_region.h"

#include "kernels/id_math.h"

#include <algorithm>
#include <array>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kGuardElements = 64;

/// A rectangle of page entries, a row a lane.
bool is_table(BufferId id) {
    constexpr std::array kTables{
        BufferId::table,
        BufferId::window_table,
        BufferId::block_table,
        BufferId::window_block_table,
        BufferId::more_tables};
    return std::find(kTables.begin(), kTables.end(), id) != kTables.end();
}

/// Elements of a row that a step may write, the guard not counted.
std::int64_t live_columns(const StepPlan& plan, const BufferSpec& buffer) {
    if (buffer.id == BufferId::req_to_token) {
        return kernels::pages_of(plan.max_len, plan.scheduler_page) * plan.scheduler_page;
    }
    if (buffer.id == BufferId::stream || buffer.id == BufferId::more_streams) {
        return most_stream_tokens(plan);
    }
    if (is_table(buffer.id) && plan.spec.table_tail == TableTail::keep) {
        return kernels::pages_of(plan.max_len, plan.spec.page_size);
    }
    return buffer.columns;
}

/// Rows that a step may write, and one behind them. Further readers' buffers hold their rows one
/// reader after another.
std::int64_t live_rows(const StepPlan& plan, const BufferSpec& buffer) {
    const bool has_readers =
        buffer.id == BufferId::more_tables || buffer.id == BufferId::more_streams;
    return has_readers ? buffer.rows : std::min(buffer.rows, plan.bucket + 1);
}

/// What a twin without the KV pool can not know: verification compares both with what the tokens
/// and the requests are instead.
bool comes_from_kv(BufferId id) {
    return id == BufferId::output || id == BufferId::state_words;
}

} // namespace

std::optional<Region> checked_region(const StepPlan& plan, const BufferSpec& buffer) {
    if (!buffer.is_output || comes_from_kv(buffer.id)) {
        return std::nullopt;
    }
    const std::int64_t columns =
        std::min(live_columns(plan, buffer) + kGuardElements, buffer.columns);
    return Region{
        live_rows(plan, buffer),
        columns * buffer.element_bytes,
        buffer.columns * buffer.element_bytes,
        0};
}

bool is_poisoned(const InitialState& state, const BufferSpec& buffer) {
    // A captured tail and the leading zero of row starts keep the zeroes that they were allocated
    // with.
    constexpr std::array kZeroed{
        BufferId::write_loc,
        BufferId::swa_write_loc,
        BufferId::indptr,
        BufferId::window_indptr,
        BufferId::cu_seqlens_k,
        BufferId::cu_seqlens_q,
        BufferId::qo_indptr};
    const bool is_zeroed = std::find(kZeroed.begin(), kZeroed.end(), buffer.id) != kZeroed.end();
    const bool is_given =
        std::any_of(state.buffers.begin(), state.buffers.end(), [&](const InitialBuffer& given) {
            return given.id == buffer.id;
        });
    return buffer.is_output && !is_given && !is_zeroed;
}

} // namespace kvprof::workload
