#pragma once

#include "kernels/cuda/attention_softmax.cuh"
#include "kernels/cuda/attention_warpgroup_shape.cuh"

/// The softmax of one tile of 64 tokens by four warps, from fragments of scores to weights in
/// shared memory.
namespace kvprof::kernels::cuda {

/// Running softmax of the heads whose columns a lane holds: kOwn of them, in common with the lanes
/// 4, 8, ... away in all four warps. The sum is of this lane's own tokens.
template<int kHeads>
struct GroupSoftmax {
    static constexpr int kOwn = kHeads / 4;

    RowState state[kOwn];
    float kept[kOwn] = {}; ///< factors for older sums
    bool is_moved = false; ///< whether any of this lane's factors is not 1

    [[nodiscard]] __device__ static int warp() { return static_cast<int>(threadIdx.x) / kWarp; }

    [[nodiscard]] __device__ static int lane() { return static_cast<int>(threadIdx.x) % kWarp; }

    [[nodiscard]] __device__ static int head(int own) {
        return own / 2 * 8 + lane() % 4 * 2 + own % 2;
    }

    /// Turns scores into weights; tokens from `count` on have none.
    __device__ void
    add(GroupShared<kHeads>& shared, HeadColumns<kHeads>& scores, int count, float scale) {
        const float factor = scale * kLog2E;
        const int token = warp() * 16 + lane() / 4;
#pragma unroll
        for (int i = 0; i < kHeads / 2; ++i) {
            const bool is_real = token + i / 2 % 2 * 8 < count;
            scores[i] = is_real ? scores[i] * factor : kMinusInfinity;
        }
#pragma unroll
        for (int own = 0; own < kOwn; ++own) {
            const int column = own / 2 * 4 + own % 2;
            const float newest =
                over_tokens(fmaxf(scores[column], scores[column + 2]), [](float a, float b) {
                    return fmaxf(a, b);
                });
            if (lane() < 4) {
                shared.parts[warp()][head(own)] = newest;
            }
        }
        meet_computing_warps();
        is_moved = false;
#pragma unroll
        for (int own = 0; own < kOwn; ++own) {
            float newest = state[own].maximum;
#pragma unroll
            for (int part = 0; part < kGroupWarps; ++part) {
                newest = fmaxf(newest, shared.parts[part][head(own)]);
            }
            is_moved |= newest > state[own].maximum;
            kept[own] = state[own].raise_to(newest);
        }
        store_weights(shared, scores);
        fence_async_proxy();
        meet_computing_warps();
    }

    /// Of all tokens, by way of shared memory: every lane has those of its heads.
    __device__ void total(GroupShared<kHeads>& shared, float (&totals)[kOwn]) const {
#pragma unroll
        for (int own = 0; own < kOwn; ++own) {
            const float part = over_tokens(state[own].sum, [](float a, float b) { return a + b; });
            if (lane() < 4) {
                shared.parts[warp()][head(own)] = part;
            }
        }
        meet_computing_warps();
#pragma unroll
        for (int own = 0; own < kOwn; ++own) {
            totals[own] = 0.0F;
#pragma unroll
            for (int part = 0; part < kGroupWarps; ++part) {
                totals[own] += shared.parts[part][head(own)];
            }
        }
    }

  private:
    /// Over the eight lanes that hold a head's tokens of this warp.
    template<typename Merge>
    [[nodiscard]] __device__ static float over_tokens(float value, Merge merge) {
#pragma unroll
        for (int step = 4; step < kWarp; step *= 2) {
            value = merge(value, __shfl_xor_sync(kAllLanes, value, step));
        }
        return value;
    }

    /// A row a head, K-major: 16 heads at a time.
    __device__ void store_weights(GroupShared<kHeads>& shared, const HeadColumns<kHeads>& scores) {
        const int row = lane() / 16 * 8 + lane() % 8;
        const int chunk = warp() * 2 + lane() / 8 % 2; // of eight tokens
        auto* out = shared.weights + swizzled_128(row, chunk * 16);
#pragma unroll
        for (int first = 0; first < kHeads; first += 16) {
            std::uint32_t weights[4]; // matrices: heads 0 to 7 of tokens 0 to 7, 8 to 15; then 8 on
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = first / 2 + i * 2;
                const int own = column / 4 * 2;
                weights[i] = add_heads(state[own], state[own + 1], &scores[column]);
            }
            store_matrices_transposed(out + first * kSwizzledRowBytes, weights);
        }
    }

    /// One token's scores of two heads as weights, packed. Sums take what is rounded, as in
    /// RowState::add_pair.
    [[nodiscard]] __device__ static std::uint32_t
    add_heads(RowState& first, RowState& second, const float* scores) {
        const auto pair = __floats2bfloat162_rn(
            exp2f(scores[0] - first.maximum), exp2f(scores[1] - second.maximum)
        );
        first.sum += __low2float(pair);
        second.sum += __high2float(pair);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    }
};

} // namespace kvprof::kernels::cuda
