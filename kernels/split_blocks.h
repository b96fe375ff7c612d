#pragma once

#include "kernels/balance_rules.h"
#include "kernels/read_geometry.h"

#include <algorithm>
#include <cstdint>

/// Which blocks of a split (launch_geometry.h) have work, from lengths in host memory.
namespace kvprof::kernels {

/// What a lane gives the blocks to do.
struct LaneShare {
    std::int64_t items = 0;  ///< below 0 counts as 0
    int lead = 0;            ///< elements by which the first lies past a vector's boundary
    std::int64_t zeroes = 0; ///< elements to clear, a thread at a time
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

/// As the kernels decide it.
template<typename ShareOf>
[[nodiscard]] bool is_skewed_batch(const ShareOf& share_of, std::int64_t batch) {
    const auto items = [&](std::int64_t lane) {
        return static_cast<float>(std::max<std::int64_t>(share_of(lane).items, 0));
    };
    const auto lanes = static_cast<float>(batch);
    bool has_apart = false;
    float longest = 0.0F;
    std::int64_t units = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        has_apart = has_apart || is_apart(items(lane), items(0), lanes);
        longest = larger_of(longest, items(lane));
        units += length_units(share_of(lane).items);
    }
    return has_apart && is_skewed(longest, lanes, static_cast<float>(units * kLengthUnit));
}

/// @param shape x: lanes, y: blocks of a lane
/// @param share_of of a lane
template<typename ShareOf>
[[nodiscard]] std::int64_t
blocks_with_share(const Tuning& tuning, const LaunchShape& shape, const ShareOf& share_of) {
    const Split split = split_of(tuning, shape.grid_x);
    const bool is_flat = split == Split::flat
                         || (split == Split::balanced && is_skewed_batch(share_of, shape.grid_x));
    const std::int64_t all = is_flat ? vectors_in(share_of, shape.grid_x) : 0;
    const std::int64_t pass = std::int64_t{tuning.threads} * (tuning.items / kVector);
    std::int64_t blocks = 0;
    for (std::int64_t lane = 0; lane < shape.grid_x; ++lane) {
        const LaneShare share = share_of(lane);
        const int items = static_cast<int>(std::max<std::int64_t>(share.items, 0));
        for (std::int64_t part = 0; part < shape.grid_y; ++part) {
            const bool clears = part * tuning.threads < share.zeroes;
            const bool writes = is_flat ? (part * shape.grid_x + lane) * tuning.threads < all
                                        : part * pass < vectors_of(items, share.lead);
            blocks += clears || writes ? 1 : 0;
        }
    }
    return blocks;
}

} // namespace kvprof::kernels
