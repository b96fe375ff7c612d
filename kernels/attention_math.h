#pragma once

#include "kernels/calls.h"
#include "kernels/hd.h"
#include "kernels/index_access.h"

#include <cstdint>

/// What both attention executors agree on: which row a position reads, and how partials are laid
/// out.
namespace kvprof::kernels {

/// Kernel-facing row of a position whose page entry, or stream's id (a page of one), is `entry`. A
/// negative id reads the sink row 0.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
row_of_entry(std::int64_t entry, std::int32_t page_size, std::int32_t position) {
    const std::int64_t row = entry * page_size + position % page_size;
    return row < 0 ? 0 : row;
}

/// Kernel-facing row of position `position` of a lane.
[[nodiscard]] KVPROF_HD inline std::int64_t
attention_row(const AttentionCall& call, std::int64_t lane, std::int32_t position) {
    if (call.table != nullptr) {
        const auto page_size = static_cast<std::int32_t>(call.page_size);
        const std::int64_t entry = call.table[lane * call.stride + position / page_size];
        return row_of_entry(entry, page_size, position);
    }
    return row_of_entry(load_index(call.stream, call.indptr[lane] + position), 1, position);
}

/// Positions [begin, end) of one split; empty when begin == end.
struct SplitRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

[[nodiscard]] KVPROF_HD inline SplitRange
split_range(std::int64_t length, std::int64_t splits, std::int64_t split) {
    const std::int64_t chunk = length <= 0 ? 0 : (length + splits - 1) / splits;
    const std::int64_t begin = split * chunk < length ? split * chunk : length;
    const std::int64_t end = begin + chunk < length ? begin + chunk : length;
    return begin < end
               ? SplitRange{static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)}
               : SplitRange{};
}

/// Positions of one split of a lane. A table's window leaves the earlier positions out.
[[nodiscard]] KVPROF_HD inline SplitRange
attended_range(const AttentionCall& call, std::int64_t lane, std::int64_t split) {
    const std::int64_t length = load_index(call.lens, lane);
    const bool is_cut = call.window > 0 && call.table != nullptr && call.window < length;
    const std::int64_t count = is_cut ? call.window : length;
    auto range = split_range(count, call.splits, split);
    const auto start = static_cast<std::int32_t>(length - count);
    range.begin += start;
    range.end += start;
    return range;
}

/// Floats of a partial: the split's own output, then the log of its sum of exponentials (minus
/// infinity for an empty split).
[[nodiscard]] KVPROF_HD constexpr std::int64_t partial_width(std::int64_t dim_v) {
    return dim_v + 1;
}

/// First float of the partial of (lane, head, split).
[[nodiscard]] KVPROF_HD inline std::int64_t partial_offset(
    const HeadShape& heads,
    std::int64_t splits,
    std::int64_t lane,
    std::int64_t head,
    std::int64_t split
) {
    return ((lane * heads.query_heads + head) * splits + split) * partial_width(heads.dim_v);
}

} // namespace kvprof::kernels
