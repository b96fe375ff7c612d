#pragma once

#include "kernels/cuda/attention_warpgroup_softmax.cuh"

/// The arithmetic of one tile of 64 tokens by four warps. Products are transposed: tokens, then
/// V's dimensions, are the rows of wgmma, and heads its columns, of which it takes as few as there
/// are. A tile is read as it lies, both ways: K has its dimensions along a row, and V^T its tokens.
namespace kvprof::kernels::cuda {

/// scores[64 tokens x heads] = K * query^T, not yet scaled.
template<int kHeads>
__device__ void
score_tile(HeadColumns<kHeads>& scores, const GroupShared<kHeads>& shared, int stage) {
    const std::uint64_t k = operand_at(shared.stages[stage].bytes);
    const std::uint64_t query = operand_at(shared.query.bytes);
#pragma unroll
    for (float& score : scores) {
        score = 0.0F;
    }
    pin(scores);
    begin_products();
#pragma unroll
    for (int step = 0; step < kLatentK / 16; ++step) {
        const int segment = step / 4;
        const int inside = step % 4 * 32; // bytes of 16 dimensions
        multiply_add<false>(
            scores,
            operand_after(k, segment * kSegmentBytes + inside),
            operand_after(query, segment * kHeads * kSwizzledRowBytes + inside)
        );
    }
    finish_products();
    pin(scores);
}

/// The weighted sums of V, transposed: [512 dimensions x heads], 64 dimensions a product.
template<int kHeads>
struct GroupSums {
    static constexpr int kStrips = kLatentV / 64;

    HeadColumns<kHeads> sums[kStrips] = {};

    /// sums = sums * kept + V^T * weights^T.
    __device__ void
    add(const GroupShared<kHeads>& shared, const GroupSoftmax<kHeads>& softmax, int stage) {
        const std::uint64_t v = operand_at(shared.stages[stage].bytes);
        const std::uint64_t weights = operand_at(shared.weights);
        if (__any_sync(kAllLanes, softmax.is_moved)) {
#pragma unroll
            for (int i = 0; i < kStrips * kHeads / 2; ++i) {
                const int column = i % (kHeads / 2);
                sums[i / (kHeads / 2)][column] *= softmax.kept[column / 4 * 2 + column % 2];
            }
        }
#pragma unroll
        for (auto& strip : sums) {
            pin(strip);
        }
        begin_products();
#pragma unroll
        for (int i = 0; i < kStrips * kGroupTokens / 16; ++i) {
            const int strip = i / (kGroupTokens / 16);
            const int step = i % (kGroupTokens / 16);
            multiply_add<true>(
                sums[strip],
                operand_after(v, strip * kSegmentBytes + step * 16 * kSwizzledRowBytes),
                operand_after(weights, step * 16 * 2)
            );
        }
        finish_products();
#pragma unroll
        for (auto& strip : sums) {
            pin(strip);
        }
    }

    __device__ void write(GroupOutput<kHeads>& out) const {
        const int lane = static_cast<int>(threadIdx.x) % kWarp;
        const int row = static_cast<int>(threadIdx.x) / kWarp * 16 + lane / 4;
#pragma unroll
        for (int i = 0; i < kStrips * kHeads / 2; ++i) {
            const int strip = i / (kHeads / 2);
            const int column = i % (kHeads / 2);
            const int head = column / 4 * 8 + lane % 4 * 2 + column % 2;
            out.sums[head][strip * 64 + row + column / 2 % 2 * 8] = sums[strip][column];
        }
    }
};

} // namespace kvprof::kernels::cuda
