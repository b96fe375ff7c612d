#pragma once

#include "kernels/balance_rules.h"
#include "kernels/read_geometry.h"

#include <algorithm>
#include <cstdint>

/// Which blocks of a split (launch_geometry.h) have work, from lengths in host memory.
namespace kvprof::kernels {

/// What a lane gives the blocks to do.
struct LaneShare {
    std::int64_t items = 0; ///< below 0 counts as 0
    int lead = 0;           ///< elements by which the first lies past a vector's boundary
};

template<typename ShareOf>
[[nodiscard]] std::int64_t vectors_in(const ShareOf& share_of, std::int64_t batch) {
    std::int64_t sum = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        const LaneShare share = share_of(lane);
        sum += vectors_of(static_cast<int>(std::max<std::int64_t>(share.items, 0)), share.lead);
    }
    return sum;
}

/// As the kernels decide it. @param vectors of all lanes
template<typename ShareOf>
[[nodiscard]] bool
is_skewed_batch(const ShareOf& share_of, std::int64_t batch, std::int64_t vectors) {
    const auto items = [&](std::int64_t lane) {
        return static_cast<float>(std::max<std::int64_t>(share_of(lane).items, 0));
    };
    const auto lanes = static_cast<float>(batch);
    bool has_apart = false;
    float longest = 0.0F;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        has_apart = has_apart || is_apart(items(lane), items(0), lanes);
        longest = larger_of(longest, items(lane));
    }
    return has_apart && is_skewed(longest, lanes, static_cast<float>(vectors) * kVector);
}

/// @param shape x: lanes, y: blocks of a lane
/// @param share_of of a lane
/// @param has_more whether a block, named by lane and part, has other work too
template<typename ShareOf, typename HasMore>
[[nodiscard]] std::int64_t blocks_with_share(
    const Tuning& tuning, const LaunchShape& shape, const ShareOf& share_of, const HasMore& has_more
) {
    const Split split = split_of(tuning, shape.grid_x);
    const std::int64_t all = split == Split::rows ? 0 : vectors_in(share_of, shape.grid_x);
    const bool is_flat =
        split == Split::flat
        || (split == Split::balanced && is_skewed_batch(share_of, shape.grid_x, all));
    const std::int64_t pass = std::int64_t{tuning.threads} * (tuning.items / kVector);
    std::int64_t blocks = 0;
    for (std::int64_t lane = 0; lane < shape.grid_x; ++lane) {
        const LaneShare share = share_of(lane);
        const int items = static_cast<int>(std::max<std::int64_t>(share.items, 0));
        for (std::int64_t part = 0; part < shape.grid_y; ++part) {
            const bool lists = is_flat ? (part * shape.grid_x + lane) * tuning.threads < all
                                       : part * pass < vectors_of(items, share.lead);
            blocks += lists || has_more(lane, part) ? 1 : 0;
        }
    }
    return blocks;
}

} // namespace kvprof::kernels
