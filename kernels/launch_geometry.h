#pragma once

#include "kernels/hd.h"

#include <algorithm>
#include <array>
#include <cstdint>

/// Grid and block choices of the index kernels. They depend on the batch and on captured widths
/// alone, never on lengths: a captured graph bakes its grid while lengths move between replays.
namespace kvprof::kernels {

struct LaunchShape {
    std::int64_t grid_x = 1;
    std::int64_t grid_y = 1;
    int threads = 1;
};

[[nodiscard]] KVPROF_HD constexpr std::int64_t blocks_for(std::int64_t items, std::int64_t each) {
    return (items + each - 1) / each;
}

/// How a grid from the batch divides the items of all lanes. rows: each lane has the same number of
/// blocks. flat: each block has the same share of all items, wherever lanes begin. balanced: rows,
/// or flat where the device finds lengths too uneven for rows (balance_rules.h).
enum class Split : std::uint8_t { rows, flat, balanced };

/// Choices of a read kernel whose grid comes from the batch: `threads * items` items per pass of a
/// block, and about `target_blocks` blocks in all.
struct Tuning {
    int threads = 256;
    int items = 4;
    int target_blocks = 528;
    Split split = Split::balanced;
    /// Programmatic dependent launch: blocks are placed while the kernel before drains.
    bool starts_early = true;

    friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// Four blocks for each of an H200's 132 SMs: half of what it holds, so that the blocks of the
/// kernel after find room while this one runs.
inline constexpr Tuning kPageTableTuning{};
inline constexpr Tuning kTokenStreamTuning{};

/// One item at a time: table and stream in one gather, and the gather of a context-parallel rank.
inline constexpr Tuning kGatherTuning{
    .threads = 256,
    .items = 2,
    .target_blocks = 1024,
    .split = Split::rows,
    .starts_early = false,
};

/// What is compiled, for page size 1 and for any other.
inline constexpr std::array kTunableThreads{128, 256, 512};
inline constexpr std::array kTunableItems{4, 8};
inline constexpr int kMostTargetBlocks = 65535;

[[nodiscard]] constexpr bool is_supported(const Tuning& tuning) {
    const auto is_in = [](const auto& list, int value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    return is_in(kTunableThreads, tuning.threads) && is_in(kTunableItems, tuning.items)
           && tuning.target_blocks >= 1 && tuning.target_blocks <= kMostTargetBlocks;
}

/// GridRule::ctx: one block per 256 columns of the context for each lane, one item per thread. The
/// geometry is wasteful on purpose: it is what the batch-sized grid is compared with. Columns are
/// in x because y ends at 65,535.
inline constexpr int kContextThreads = 256;

[[nodiscard]] constexpr LaunchShape
context_shape(std::int64_t batch, std::int64_t context_columns) {
    return {blocks_for(context_columns, kContextThreads), batch, kContextThreads};
}

/// GridRule::bs: lanes in x, so that the first blocks of all lanes start before the blocks that
/// short lanes leave idle. `width` is the most items that a lane can have.
inline constexpr int kLeastShare = 512;

[[nodiscard]] constexpr LaunchShape
batch_shape(const Tuning& tuning, std::int64_t batch, std::int64_t width) {
    const std::int64_t wanted = batch < tuning.target_blocks ? tuning.target_blocks / batch : 1;
    const std::int64_t useful = blocks_for(width, kLeastShare);
    return {batch, wanted < useful ? wanted : useful, tuning.threads};
}

/// The longest req_to_token row that the kernels' 32-bit positions cover.
inline constexpr std::int64_t kMostColumns = std::int64_t{1} << 30;

/// Repack and the static gather: one block per lane walks it 512 tokens at a time.
inline constexpr int kLaneThreads = 128;
inline constexpr int kLaneItems = 4;

/// Static block table: one block per 4,096 tokens of the table's width.
inline constexpr std::int64_t kBlockTableTokens = 4096;
inline constexpr int kBlockTableThreads = 256;

[[nodiscard]] KVPROF_HD constexpr std::int64_t block_table_columns(std::int64_t page_size) {
    return page_size < kBlockTableTokens ? kBlockTableTokens / page_size : 1;
}

[[nodiscard]] constexpr LaunchShape
block_table_shape(std::int64_t batch, std::int64_t width, std::int64_t page_size) {
    return {blocks_for(width, block_table_columns(page_size)), batch, kBlockTableThreads};
}

/// Allocator and metadata operations: 128 items a block, one per thread.
inline constexpr int kItemThreads = 128;

[[nodiscard]] constexpr LaunchShape item_shape(std::int64_t count) {
    return {blocks_for(count, kItemThreads), 1, kItemThreads};
}

/// Write locations: 512 items a block.
inline constexpr int kWriteLocThreads = 256;
inline constexpr int kWriteLocItems = 512;

[[nodiscard]] constexpr LaunchShape write_loc_shape(std::int64_t count) {
    return {blocks_for(count, kWriteLocItems), 1, kWriteLocThreads};
}

/// alloc_decode: a block per lane counts the earlier lanes that open a page.
[[nodiscard]] constexpr LaunchShape alloc_decode_shape(std::int64_t batch) {
    return {batch, 1, kItemThreads};
}

/// Page zeroing: a block per 2,048 words of 8 bytes of each page.
inline constexpr int kZeroThreads = 256;
inline constexpr int kZeroWords = 2048;

[[nodiscard]] constexpr LaunchShape zero_pages_shape(std::int64_t pages, std::int64_t page_bytes) {
    return {pages, blocks_for(page_bytes / 8, kZeroWords), kZeroThreads};
}

/// Moves and copies of envelopes have the geometry of the zeroing.
[[nodiscard]] constexpr LaunchShape envelope_shape(std::int64_t pages, std::int64_t page_bytes) {
    return zero_pages_shape(pages, page_bytes);
}

/// fa3's metadata: 256 columns a block, 128 with larger pages or a sliding-window twin; one block
/// when there is no table. Columns are in x because y ends at 65,535.
inline constexpr int kFaThreads = 256;

[[nodiscard]] KVPROF_HD constexpr std::int64_t fa_columns(std::int64_t page_size, bool has_twin) {
    return page_size > 1 || has_twin ? 128 : 256;
}

/// `columns`: the most that a table of the call has; 0 without one.
[[nodiscard]] constexpr LaunchShape
fa_metadata_shape(std::int64_t batch, std::int64_t columns, std::int64_t each) {
    return columns <= 0 ? LaunchShape{1, 1, kFaThreads}
                        : LaunchShape{blocks_for(columns, each), batch, static_cast<int>(each)};
}

/// trtllm_mha's metadata: a row program a lane, a scan, and 512 window locations a block.
inline constexpr int kTrtllmThreads = 256;
inline constexpr int kTrtllmLocations = 512;

[[nodiscard]] constexpr LaunchShape
trtllm_metadata_shape(std::int64_t batch, std::int64_t window_locations) {
    return {batch + 1 + blocks_for(window_locations, kTrtllmLocations), 1, kTrtllmThreads};
}

/// A translate in place: 512 ids a block and pass; blocks stride, since only the device knows how
/// long the stream is.
inline constexpr std::int64_t kTranslateBlocks = 1024;

[[nodiscard]] constexpr LaunchShape stream_translate_shape(std::int64_t capacity) {
    const std::int64_t blocks = blocks_for(capacity, kWriteLocItems);
    return {blocks < kTranslateBlocks ? blocks : kTranslateBlocks, 1, kWriteLocThreads};
}

/// indptr: one block, whatever the batch; a small batch gets a small block.
[[nodiscard]] constexpr LaunchShape indptr_shape(std::int64_t batch) {
    return {1, 1, batch <= 256 ? 256 : 1024};
}

} // namespace kvprof::kernels
