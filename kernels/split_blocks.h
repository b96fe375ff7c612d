#pragma once

#include "kernels/balance_rules.h"
#include "kernels/read_geometry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Which blocks of a split (launch_geometry.h) have work, from lengths in host memory.
namespace kvprof::kernels {

/// What a lane gives the blocks to do.
struct LaneShare {
    std::int64_t items = 0;
    int lead = 0; ///< elements by which the first lies past a vector's boundary
    /// Items by its length, for not all of which there may be room. Kernels compare these.
    std::int64_t wanted = 0;

    LaneShare() = default;

    LaneShare(std::int64_t listed, int past_boundary, std::int64_t all)
        : items(listed),
          lead(past_boundary),
          wanted(all) {}

    [[nodiscard]] std::int64_t vectors() const { return vectors_of(static_cast<int>(items), lead); }

    [[nodiscard]] std::int64_t chunks(const Tuning& tuning) const {
        return chunks_of(static_cast<int>(wanted), static_cast<unsigned>(tuning.threads * kVector));
    }
};

/// As the kernels decide it, but for the rounding of one sum at the limit.
template<typename ShareOf>
[[nodiscard]] bool
is_skewed_batch(const Tuning& tuning, const ShareOf& share_of, std::int64_t batch) {
    std::int64_t longest = 0;
    std::int64_t chunks = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        const LaneShare share = share_of(lane);
        longest = std::max(longest, share.wanted);
        chunks += share.chunks(tuning);
    }
    const std::int64_t items = chunks * tuning.threads * kVector;
    return is_skewed(
        static_cast<float>(longest), static_cast<float>(batch), static_cast<float>(items)
    );
}

/// Marks the blocks that find a vector in their chunks, by part * lanes + lane.
template<typename ShareOf>
void mark_sharing(
    const Tuning& tuning, const ShareOf& share_of, std::int64_t batch, std::vector<bool>& blocks
) {
    std::size_t chunk = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        const LaneShare share = share_of(lane);
        for (std::int64_t i = 0; i < share.chunks(tuning); ++i, ++chunk) {
            if (i * tuning.threads < share.vectors()) {
                blocks[chunk % blocks.size()] = true;
            }
        }
    }
}

/// @param shape x: lanes, y: blocks of a lane
/// @param share_of of a lane
/// @param has_more whether a block, named by lane and part, has other work too
template<typename ShareOf, typename HasMore>
[[nodiscard]] std::int64_t blocks_with_share(
    const Tuning& tuning, const LaunchShape& shape, const ShareOf& share_of, const HasMore& has_more
) {
    const Split split = split_of(tuning, shape.grid_x);
    const bool is_flat =
        split == Split::flat
        || (split == Split::balanced && is_skewed_batch(tuning, share_of, shape.grid_x));
    std::vector<bool> blocks(static_cast<std::size_t>(shape.grid_x * shape.grid_y));
    if (is_flat) {
        mark_sharing(tuning, share_of, shape.grid_x, blocks);
    }
    const std::int64_t pass = std::int64_t{tuning.threads} * (tuning.items / kVector);
    std::int64_t count = 0;
    for (std::int64_t lane = 0; lane < shape.grid_x; ++lane) {
        const std::int64_t vectors = share_of(lane).vectors();
        for (std::int64_t part = 0; part < shape.grid_y; ++part) {
            const bool lists = is_flat
                                   ? blocks[static_cast<std::size_t>(part * shape.grid_x + lane)]
                                   : part * pass < vectors;
            count += lists || has_more(lane, part) ? 1 : 0;
        }
    }
    return count;
}

} // namespace kvprof::kernels
