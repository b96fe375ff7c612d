#pragma once

#include "kernels/balance_rules.h"
#include "kernels/cuda/lane_walk.cuh"

#include <cstdint>

/// Walks a lane in vectors of four output elements. The time is that of two dependent loads, token
/// and then v2p, so the tokens of a thread's next vector are asked for before this one's pages.
/// Short straight code matters as much as memory here: a launch finds its instructions cold.
namespace kvprof::kernels::cuda {

/// A lane in vectors that are aligned to the output.
template<typename Lane>
struct VectorLane {
    Lane lane;
    int count = 0;
    int lead = 0; ///< elements by which the lane's first lies past a vector's boundary
    /// Four tokens can be loaded as one: they lie side by side, aligned as the output is.
    bool is_packed = false;

    __device__ int vectors() const { return vectors_of(count, lead); }
};

using Tokens = std::int32_t[kVector];

/// Tokens of elements first .. first + 3; those outside the lane are not read.
template<bool kIsPacked, typename Lane>
__device__ __forceinline__ void
load_tokens(Tokens& tokens, const VectorLane<Lane>& lane, int first) {
    if constexpr (kIsPacked) {
        const int4 four = __ldg(reinterpret_cast<const int4*>(lane.lane.first_token() + first));
        tokens[0] = four.x;
        tokens[1] = four.y;
        tokens[2] = four.z;
        tokens[3] = four.w;
    } else {
#pragma unroll
        for (int i = 0; i < kVector; ++i) {
            const int item = first + i;
            tokens[i] = item >= 0 && item < lane.count ? lane.lane.token(item) : 0;
        }
    }
}

__device__ __forceinline__ void store_four(std::int32_t* out, const std::int32_t (&ids)[kVector]) {
    __stcs(reinterpret_cast<int4*>(out), int4{ids[0], ids[1], ids[2], ids[3]});
}

__device__ __forceinline__ void store_four(std::int64_t* out, const std::int64_t (&ids)[kVector]) {
    __stcs(reinterpret_cast<longlong2*>(out), longlong2{ids[0], ids[1]});
    __stcs(reinterpret_cast<longlong2*>(out) + 1, longlong2{ids[2], ids[3]});
}

/// Looks the tokens' pages up and stores the ids of elements first .. first + 3.
template<typename Lane>
__device__ __forceinline__ void
translate_and_store(const Tokens& tokens, const VectorLane<Lane>& lane, int first) {
    typename Lane::Page pages[kVector];
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
        pages[i] = lane.lane.reader.physical_of(tokens[i]);
    }
    typename Lane::Output ids[kVector];
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
        ids[i] = lane.lane.id(first + i, pages[i]);
    }
    if (__builtin_expect(first >= 0 && first + kVector <= lane.count, 1)) {
        store_four(lane.lane.out + first, ids);
        return;
    }
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
        if (first + i >= 0 && first + i < lane.count) {
            lane.lane.out[first + i] = ids[i];
        }
    }
}

/// The vector whose first element is `first`.
template<typename Lane>
__device__ __forceinline__ void walk_one(const VectorLane<Lane>& lane, int first) {
    Tokens tokens;
    if (lane.is_packed) {
        load_tokens<true>(tokens, lane, first);
    } else {
        load_tokens<false>(tokens, lane, first);
    }
    translate_and_store(tokens, lane, first);
}

/// Vectors at, at + step, ... of a lane; `kVectors` of them, blockDim.x apart, make one pass.
template<bool kIsPacked, int kVectors, typename Lane>
__device__ __forceinline__ void walk_vectors(const VectorLane<Lane>& lane, int at, int step) {
    const int end = lane.vectors();
    const int apart = static_cast<int>(blockDim.x);
    Tokens next[kVectors];
    const auto load = [&](int vector) {
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
            if (vector + v * apart < end) {
                load_tokens<kIsPacked>(next[v], lane, (vector + v * apart) * kVector - lane.lead);
            }
        }
    };
    load(at);
#pragma unroll 1
    while (at < end) {
        Tokens tokens[kVectors];
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
#pragma unroll
            for (int i = 0; i < kVector; ++i) {
                tokens[v][i] = next[v][i];
            }
        }
        load(at + step);
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
            if (at + v * apart < end) {
                const int first = (at + v * apart) * kVector - lane.lead;
                translate_and_store(tokens[v], lane, first);
            }
        }
        at += step;
    }
}

/// Part `part` of `parts` of a lane.
template<int kVectors, typename Lane>
__device__ __forceinline__ void walk_part(const VectorLane<Lane>& lane, int part, int parts) {
    const int pass = static_cast<int>(blockDim.x) * kVectors;
    const int at = part * pass + static_cast<int>(threadIdx.x);
    if constexpr (!Lane::kHasTokensInRow) {
        walk_vectors<false, kVectors>(lane, at, parts * pass);
    } else if (__builtin_expect(lane.is_packed, 1)) {
        walk_vectors<true, kVectors>(lane, at, parts * pass);
    } else {
        walk_vectors<false, kVectors>(lane, at, parts * pass);
    }
}

} // namespace kvprof::kernels::cuda
