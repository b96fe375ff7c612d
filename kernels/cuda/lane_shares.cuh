#pragma once

#include "kernels/cuda/lane_inputs.cuh"
#include "kernels/cuda/own_lanes.cuh"
#include "kernels/cuda/shared_lanes.cuh"
#include "kernels/cuda/vector_walk.cuh"

/// Equal shares of a batch (Split::flat, and Split::balanced where that pays): all lanes one behind
/// the other, and each block takes every n-th chunk of them, which is as many vectors as a block
/// has threads. All blocks together go through memory from one end to the other.
///
/// What a form is: split_walk.cuh.
namespace kvprof::kernels::cuda {

/// The lanes of a batch in a block's shared memory.
template<typename Form>
struct LaneShares {
    int* ends; ///< [batch], in chunks, of this lane and all before it
    int batch;

    __device__ __forceinline__ explicit LaneShares(const Form& form)
        : batch(form.batch()) {
        extern __shared__ int shared_ints[];
        ends = shared_ints;
    }

    /// Where a lane begins in each stream.
    __device__ __forceinline__ void put_offsets(int lane, const Offsets<Form::kSums>& first) const {
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            ends[(s + 1) * batch + lane] = first.at[s];
        }
    }

    [[nodiscard]] __device__ __forceinline__ Offsets<Form::kSums> offsets(int lane) const {
        Offsets<Form::kSums> first;
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            first.at[s] = ends[(s + 1) * batch + lane];
        }
        return first;
    }
};

/// Items of this thread's lanes in each stream, behind those of the threads before it.
template<int kThreads, typename Form>
__device__ __forceinline__ Offsets<Form::kSums>
first_offsets(const Form& form, const OwnLanes<kThreads, Form>& mine) {
    Offsets<Form::kSums> first;
    if constexpr (Form::kSums > 0) {
        __shared__ int warp_sums[Form::kSums][kWarp];
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            int items = 0;
            mine.for_each([&](int lane, int length) {
                items += lane < form.batch() ? form.listed(length, s) : 0;
            });
            first.at[s] = block_sums<kThreads>(items, !mine.has_any(), warp_sums[s]).before;
        }
    }
    return first;
}

/// Puts all lanes one behind the other and returns their chunks; 0 where there are none, or where
/// rows are no slower (balance_rules.h) and it matters. The same answer in every block. All lengths
/// together fit 32 bits, as row starts do.
template<int kThreads, bool kIfSkewed, typename Form>
__device__ __forceinline__ int share_lanes(const Form& form, const OwnLanes<kThreads, Form>& mine) {
    constexpr unsigned kChunk = kThreads * kVector;
    __shared__ int warp_sums[kWarp];
    __shared__ int most[kWarp];
    const auto chunks_in = [&](int lane, int length) {
        return lane < form.batch() ? chunks_of(form.items(length), kChunk) : 0;
    };
    int chunks = 0;
    int longest = 0;
    mine.for_each([&](int lane, int length) {
        chunks += chunks_in(lane, length);
        longest = max(longest, form.items(length));
    });
    if constexpr (kIfSkewed) {
        most[threadIdx.x / kWarp] = mine.has_any() ? __reduce_max_sync(kWholeWarp, longest) : 0;
    }
    const BlockPrefix sums = block_sums<kThreads>(chunks, !mine.has_any(), warp_sums);
    if constexpr (kIfSkewed) {
        const auto batch = static_cast<float>(form.batch());
        const auto all = static_cast<float>(sums.all) * kChunk;
        if (!is_skewed(static_cast<float>(most_of_warps<kThreads>(most)), batch, all)) {
            return 0;
        }
    }
    const LaneShares<Form> shares(form);
    auto first = first_offsets(form, mine);
    int end = sums.before;
    mine.for_each([&](int lane, int length) {
        if (lane < form.batch()) {
            end += chunks_in(lane, length);
            shares.ends[lane] = end;
            shares.put_offsets(lane, first);
#pragma unroll
            for (int s = 0; s < Form::kSums; ++s) {
                first.at[s] += form.listed(length, s);
            }
        }
    });
    __syncthreads();
    return sums.all;
}

/// This block's share of `end` chunks. The last chunk of a lane may have a vector more, where
/// vectors do not begin with the lane.
template<int kThreads, typename Form>
__device__ __forceinline__ void walk_share(const Form& form, int end) {
    const LaneShares<Form> shares(form);
    const int step = static_cast<int>(gridDim.x * gridDim.y);
#pragma unroll 1
    for (int chunk = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x); chunk < end;
         chunk += step) {
        const int found = lane_with(shares.ends, form.batch(), chunk);
        const auto extent = form.ask(found, shares.offsets(found));
        const auto lane = form.lane(found, form.row(found), extent);
        const int before = found == 0 ? 0 : shares.ends[found - 1];
        const bool is_last = chunk + 1 == shares.ends[found];
        const int next = (chunk - before + 1) * kThreads;
        const int vectors = is_last ? lane.vectors() : min(next, lane.vectors());
#pragma unroll 1
        for (int at = next - kThreads + static_cast<int>(threadIdx.x); at < vectors;
             at += kThreads) {
            walk_one(lane, at * kVector - lane.lead);
        }
    }
}

} // namespace kvprof::kernels::cuda
