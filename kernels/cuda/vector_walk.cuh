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

/// A part of a lane: vectors at, at + step, ..., of which kVectors, blockDim.x apart, make one
/// pass. The first tokens are asked for when it is made, where they lie side by side.
template<int kVectors, typename Lane>
class PartWalk {
  public:
    __device__ __forceinline__ PartWalk(const VectorLane<Lane>& lane, int part, int parts)
        : lane_(lane),
          end_(lane.vectors()),
          at_(part * pass() + static_cast<int>(threadIdx.x)),
          step_(parts * pass()) {
        if constexpr (Lane::kHasTokensInRow) {
            if (lane_.is_packed) {
                load<true>(at_);
            }
        }
    }

    __device__ __forceinline__ void run() {
        if constexpr (Lane::kHasTokensInRow) {
            if (__builtin_expect(lane_.is_packed, 1)) {
                walk<true>();
                return;
            }
        }
        load<false>(at_);
        walk<false>();
    }

  private:
    [[nodiscard]] __device__ __forceinline__ static int pass() {
        return static_cast<int>(blockDim.x) * kVectors;
    }

    template<bool kIsPacked>
    __device__ __forceinline__ void load(int at) {
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
            const int vector = at + v * static_cast<int>(blockDim.x);
            if (vector < end_) {
                load_tokens<kIsPacked>(next_[v], lane_, vector * kVector - lane_.lead);
            }
        }
    }

    template<bool kIsPacked>
    __device__ __forceinline__ void walk() {
#pragma unroll 1
        while (at_ < end_) {
            Tokens tokens[kVectors];
#pragma unroll
            for (int v = 0; v < kVectors; ++v) {
#pragma unroll
                for (int i = 0; i < kVector; ++i) {
                    tokens[v][i] = next_[v][i];
                }
            }
            load<kIsPacked>(at_ + step_);
#pragma unroll
            for (int v = 0; v < kVectors; ++v) {
                const int vector = at_ + v * static_cast<int>(blockDim.x);
                if (vector < end_) {
                    translate_and_store(tokens[v], lane_, vector * kVector - lane_.lead);
                }
            }
            at_ += step_;
        }
    }

    VectorLane<Lane> lane_;
    int end_;
    int at_;
    int step_;
    Tokens next_[kVectors];
};

} // namespace kvprof::kernels::cuda
