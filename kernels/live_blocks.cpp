#include "kernels/live_blocks.h"

#include "kernels/backend_rules.h"
#include "kernels/fused_rules.h"
#include "kernels/launch_geometry.h"
#include "kernels/read_geometry.h"
#include "kernels/read_rules.h"
#include "kernels/split_blocks.h"
#include "kernels/stream_rules.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace kvprof::kernels {
namespace {

/// Sum over lanes of the blocks that cover `live(lane)` items, `each` a block, of at most `blocks`.
template<typename Live>
std::int64_t
covering(std::int64_t batch, std::int64_t each, std::int64_t blocks, const Live& live) {
    std::int64_t sum = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        sum += std::min(blocks_for(std::max<std::int64_t>(live(lane), 0), each), blocks);
    }
    return sum;
}

/// Lanes of `batch` with a token; one block walks each.
std::int64_t lanes_with_tokens(const IndexArray& lens, std::int64_t batch) {
    return covering(batch, kMostColumns, 1, [&](std::int64_t lane) {
        return load_index(lens, lane);
    });
}

/// Blocks of a strided grid with work: on its live items, or on the zeroes after them, which each
/// block writes a thread at a time.
std::int64_t
striding(const LaunchShape& shape, std::int64_t live, std::int64_t pass, std::int64_t zeroes) {
    const auto blocks = std::max(
        blocks_for(std::max<std::int64_t>(live, 0), pass),
        blocks_for(std::max<std::int64_t>(zeroes, 0), shape.threads)
    );
    return std::min(blocks, shape.grid_y);
}

std::int64_t live_blocks_of(const FaMetadataCall& call) {
    const auto cap = std::max(column_cap(call, call.table), column_cap(call, call.window_table));
    const auto each = fa_columns(call.page_size, call.window_table.out != nullptr);
    const auto shape = fa_metadata_shape(call.batch, cap, each);
    const auto blocks = covering(call.batch, each, shape.grid_x, [&](std::int64_t lane) {
        return live_columns(cache_length(call, lane), call.page_size, cap);
    });
    const bool is_first_idle = cap <= 0 || cache_length(call, 0) <= 0;
    return blocks + (is_first_idle ? 1 : 0); // the first one scans, with columns or without
}

std::int64_t live_blocks_of(const TableAndStreamCall& call) {
    const auto shape = table_and_stream_shape(call);
    std::int64_t sum = 0;
    for (std::int64_t lane = 0; lane < rows_of(call); ++lane) {
        const bool is_live = lane < call.lanes.batch;
        const auto extent = is_live ? table_and_stream_lane(call, lane) : TableAndStreamLane{};
        const auto walked = walked_items(call, extent);
        const int pass = kGatherTuning.threads * kGatherTuning.items;
        sum += striding(shape, walked, pass, call.zero_tail ? call.width - extent.columns : 0);
    }
    return sum;
}

/// What a lane of a stream gives blocks to do, that has room for `live` of its tokens.
LaneShare share_of_lane(std::int64_t live, std::int64_t tokens, std::int64_t offset) {
    const auto listed = std::max<std::int64_t>(live, 0);
    const auto wanted = std::max<std::int64_t>(tokens, 0);
    return {listed, static_cast<int>(offset % kVector), wanted};
}

/// Of each lane of a stream of the call.
std::vector<LaneShare> shares_of(const FusedMetadataCall& call, const FusedStream& stream) {
    const auto readable = readable_tokens(lanes_of(call, stream));
    std::vector<LaneShare> shares;
    std::int64_t offset = 0;
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const LaneSpan span = span_of(call, stream, lane);
        const auto live = live_tokens(span.count, span.start, readable, stream.capacity - offset);
        shares.push_back(share_of_lane(live, span.count, offset));
        offset += span.count;
    }
    return shares;
}

/// The first block of a lane writes its row start, the last ones list its window, and some of these
/// translate locations.
std::int64_t live_blocks_of(const FusedMetadataCall& call) {
    const auto full = shares_of(call, call.full);
    const auto windows =
        has_windows(call) ? shares_of(call, call.windows) : std::vector<LaneShare>(full.size());
    const LaunchShape shape = fused_metadata_shape(call);
    const auto listing = window_parts(call);
    const auto writing = writing_blocks(call);
    const auto share_of = [&](std::int64_t lane) { return full[static_cast<std::size_t>(lane)]; };
    return blocks_with_share(kFusedTuning, shape, share_of, [&](std::int64_t lane, auto part) {
        const auto behind = shape.grid_y - part;
        const auto vectors = windows[static_cast<std::size_t>(lane)].vectors();
        const bool lists_window =
            behind <= listing && (behind - 1) * kFusedTuning.threads < vectors;
        return part == 0 || lists_window || (behind == 1 && lane < writing);
    });
}

struct LiveBlocksOf {
    using Blocks = std::optional<std::int64_t>;

    Blocks operator()(const PageTableCall& call) const {
        const std::int64_t cap = column_cap(call);
        const auto live = [&](std::int64_t lane) {
            return live_columns(load_index(call.lanes.lens, lane), call.lanes.page_size, cap);
        };
        if (call.grid == GridRule::ctx) {
            const auto shape = context_shape(call.lanes.batch, call.context_columns);
            const auto written = [&](std::int64_t lane) {
                return call.zero_tail ? call.width : live(lane);
            };
            return covering(call.lanes.batch, kContextThreads, shape.grid_x, written);
        }
        const auto share_of = [&](std::int64_t lane) {
            const auto columns = live(lane);
            return LaneShare{columns, static_cast<int>(lane * call.stride % kVector), columns};
        };
        const auto has_zeroes = [&](std::int64_t lane, std::int64_t part) {
            return call.zero_tail && part * call.tuning.threads < call.width - live(lane);
        };
        return blocks_with_share(call.tuning, page_table_shape(call), share_of, has_zeroes);
    }

    Blocks operator()(const TokenStreamCall& call) const {
        const auto live = [&](std::int64_t lane) { return listed_tokens(call, lane); };
        if (call.grid == GridRule::ctx) {
            const auto shape = context_shape(call.lanes.batch, call.context_columns);
            return covering(call.lanes.batch, kContextThreads, shape.grid_x, live);
        }
        const auto share_of = [&](std::int64_t lane) {
            return share_of_lane(live(lane), load_index(call.lanes.lens, lane), call.indptr[lane]);
        };
        return blocks_with_share(call.tuning, token_stream_shape(call), share_of, [](auto...) {
            return false;
        });
    }

    Blocks operator()(const RepackCall& call) const {
        return lanes_with_tokens(call.lens, call.batch);
    }

    Blocks operator()(const StaticGatherCall& call) const {
        return lanes_with_tokens(call.lens, call.batch);
    }

    Blocks operator()(const StaticBlockTableCall& call) const {
        const std::int64_t cap = column_cap(call);
        const auto shape = block_table_shape(call.batch, cap, call.page_size);
        const std::int64_t each = block_table_columns(call.page_size);
        return covering(call.batch, each, shape.grid_x, [&](std::int64_t lane) {
            return live_columns(load_index(call.lens, lane), call.page_size, cap);
        });
    }

    Blocks operator()(const IndptrCall& /*call*/) const { return 1; }

    Blocks operator()(const WriteLocCall& call) const {
        return write_loc_shape(call.out_count).grid_x;
    }

    Blocks operator()(const AllocBindCall& call) const { return item_shape(call.count).grid_x; }

    Blocks operator()(const BindCall& call) const { return item_shape(call.count).grid_x; }

    Blocks operator()(const FreeUnbindCall& call) const { return item_shape(call.count).grid_x; }

    Blocks operator()(const AllocDecodeCall& call) const { return call.batch; }

    Blocks operator()(const ZeroPagesCall& call) const {
        const auto shape = zero_pages_shape(call.count, call.page_bytes);
        return shape.grid_x * shape.grid_y;
    }

    Blocks operator()(const AppendCall& call) const { return item_shape(call.batch).grid_x; }

    Blocks operator()(const KvSplitsCall& call) const { return item_shape(call.batch).grid_x; }

    Blocks operator()(const MapCall& /*call*/) const { return {}; }

    Blocks operator()(const GatherCall& /*call*/) const { return {}; }

    Blocks operator()(const Gather2dCall& /*call*/) const { return {}; }

    Blocks operator()(const ScatterCall& /*call*/) const { return {}; }

    Blocks operator()(const Scatter2dCall& /*call*/) const { return {}; }

    Blocks operator()(const CumsumCall& /*call*/) const { return {}; }

    Blocks operator()(const ConcatCall& /*call*/) const { return {}; }

    Blocks operator()(const DelayCall& /*call*/) const { return 1; }

    Blocks operator()(const FaMetadataCall& call) const {
        return call.batch > 0 ? live_blocks_of(call) : 0;
    }

    Blocks operator()(const TrtllmMetadataCall& call) const {
        return trtllm_metadata_shape(call.lanes.batch, window_locations(call)).grid_x;
    }

    Blocks operator()(const LocalLensCall& call) const { return item_shape(call.batch).grid_x; }

    Blocks operator()(const DcpGatherCall& call) const {
        const auto shape = dcp_gather_shape(call);
        const int pass = kGatherTuning.threads * kGatherTuning.items;
        return covering(call.batch, pass, shape.grid_y, [&](std::int64_t lane) {
            const auto start = start_of(call.starts, lane);
            return start < 0 ? 0
                             : local_tokens(call, lane, first_position(start, call.dcp, call.rank));
        });
    }

    Blocks operator()(const StreamTranslateCall& call) const {
        const auto tokens = std::max<std::int64_t>(stream_tokens(call), 0);
        return std::min(
            blocks_for(tokens, kWriteLocItems), stream_translate_shape(call.capacity).grid_x
        );
    }

    Blocks operator()(const StateSlotsCall& call) const { return item_shape(call.batch).grid_x; }

    Blocks operator()(const StateWordsCall& call) const { return item_shape(call.batch).grid_x; }

    Blocks operator()(const TableAndStreamCall& call) const { return live_blocks_of(call); }

    Blocks operator()(const FusedMetadataCall& call) const {
        return call.batch > 0 ? live_blocks_of(call) : 0;
    }

    Blocks operator()(const CompactMoveCall& call) const {
        const auto shape = envelope_shape(call.count, call.page_bytes);
        return shape.grid_x * shape.grid_y;
    }

    Blocks operator()(const EnvelopeCopyCall& call) const {
        const auto shape = envelope_shape(call.count, call.page_bytes);
        return shape.grid_x * shape.grid_y;
    }

    Blocks operator()(const KvWriteCall& /*call*/) const { return {}; }

    Blocks operator()(const KvFillCall& /*call*/) const { return {}; }

    Blocks operator()(const AttentionCall& /*call*/) const { return {}; }

    Blocks operator()(const AttentionCombineCall& /*call*/) const { return {}; }
};

} // namespace

std::optional<std::int64_t> live_blocks(const KernelCall& call) {
    return std::visit(LiveBlocksOf{}, call);
}

} // namespace kvprof::kernels
