#pragma once

#include "kernels/cuda/lane_inputs.cuh"
#include "kernels/cuda/own_lanes.cuh"
#include "kernels/cuda/shared_lanes.cuh"
#include "kernels/cuda/vector_walk.cuh"

/// Equal shares of a batch (Split::flat, and Split::balanced where lengths differ): all lanes one
/// behind the other, and each block takes every n-th block of their vectors.
///
/// What a form is: split_walk.cuh.
namespace kvprof::kernels::cuda {

/// The lanes of a batch in a block's shared memory.
template<typename Form>
struct LaneShares {
    int* ends; ///< [batch], in vectors, of this lane and all before it
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
            mine.for_each([&](int lane, const typename Form::Loads& loads) {
                items += lane < form.batch() ? form.listed(loads, s) : 0;
            });
            first.at[s] = block_sums<kThreads>(items, warp_sums[s]).before;
        }
    }
    return first;
}

/// Puts all lanes one behind the other and returns their vectors; 0 where there are none, or where
/// rows are no slower (balance_rules.h) and it matters. The same answer in every block.
template<int kThreads, bool kIfSkewed, typename Form>
__device__ __forceinline__ int share_lanes(const Form& form, const OwnLanes<kThreads, Form>& mine) {
    __shared__ int warp_sums[kWarp];
    __shared__ int most[kWarp];
    const LaneShares<Form> shares(form);
    auto at = first_offsets(form, mine);
    int vectors = 0;
    int longest = 0;
    mine.for_each([&](int lane, const typename Form::Loads& loads) {
        if (lane < form.batch()) {
            const auto whole = form.lane(lane, form.placed(loads, at));
            shares.ends[lane] = whole.vectors();
            shares.put_offsets(lane, at);
            vectors += whole.vectors();
            longest = max(longest, whole.count);
#pragma unroll
            for (int s = 0; s < Form::kSums; ++s) {
                at.at[s] += form.listed(loads, s);
            }
        }
    });
    if constexpr (kIfSkewed) {
        most[threadIdx.x / kWarp] = __reduce_max_sync(kWholeWarp, longest);
    }
    const BlockPrefix sums = block_sums<kThreads>(vectors, warp_sums);
    if constexpr (kIfSkewed) {
        const auto batch = static_cast<float>(form.batch());
        const auto all = static_cast<float>(sums.all) * kVector;
        if (!is_skewed(static_cast<float>(most_of_warps<kThreads>(most)), batch, all)) {
            return 0;
        }
    }
    int end = sums.before;
    mine.for_each_lane([&](int lane) {
        end += shares.ends[lane];
        shares.ends[lane] = end;
    });
    __syncthreads();
    return sums.all;
}

/// This block's share of `end` vectors: the same number for each block, pass after pass over all.
template<int kThreads, typename Form>
__device__ __forceinline__ void walk_share(const Form& form, int end) {
    const LaneShares<Form> shares(form);
    const int block = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x);
    const int step = static_cast<int>(gridDim.x * gridDim.y) * kThreads;
    const int own = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll 1
    for (int base = block * kThreads + static_cast<int>(threadIdx.x) - own; base < end;
         base += step) {
        const int at = base + own;
        int found = lane_with(shares.ends, form.batch(), base);
        if (at < end) {
            int lane_end = shares.ends[found];
            while (lane_end <= at) {
                lane_end = shares.ends[++found];
            }
            const auto lane = form.lane(found, form.placed(form.ask(found), shares.offsets(found)));
            const int first = (at - lane_end + lane.vectors()) * kVector - lane.lead;
            walk_one(lane, first);
        }
    }
}

} // namespace kvprof::kernels::cuda
