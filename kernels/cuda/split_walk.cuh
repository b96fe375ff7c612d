#pragma once

#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/cuda/shared_lanes.cuh"
#include "kernels/cuda/vector_walk.cuh"

#include <cstdint>

/// How the blocks of a read kernel divide the items of a batch: Split::rows, flat and balanced.
///
/// A form is the table or the stream of a call. It loads what describes a lane (`ask`), makes the
/// lane of it (`lane`), puts it into shared memory (`shared`) and takes it from there
/// (`lane_from`). `finish` does what is left for a lane when its items are written. Everything is
/// asked for before anything is used, or the latencies of the loads would add up.
namespace kvprof::kernels::cuda {

/// The lanes that a thread looks after when lengths are compared and shared: threadIdx.x, and the
/// one a block's width further. Both are loaded at once.
template<typename Form>
struct OwnLanes {
    typename Form::Loads first;
    typename Form::Loads second;

    __device__ __forceinline__ explicit OwnLanes(const Form& form)
        : first(form.ask(min(static_cast<int>(threadIdx.x), form.batch() - 1))),
          second(first) {
        if (form.batch() > static_cast<int>(blockDim.x)) {
            second = form.ask(min(static_cast<int>(threadIdx.x + blockDim.x), form.batch() - 1));
        }
    }
};

/// body(length) for the lanes of this thread; a last lane may come twice.
template<typename Form, typename Body>
__device__ __forceinline__ void
for_own_lengths(const Form& form, const OwnLanes<Form>& own, const Body& body) {
    body(form.length_of(own.first));
    if (form.batch() > static_cast<int>(blockDim.x)) {
        body(form.length_of(own.second));
#pragma unroll 1
        for (int lane = static_cast<int>(threadIdx.x + 2 * blockDim.x); lane < form.batch();
             lane += static_cast<int>(blockDim.x)) {
            body(form.length(lane));
        }
    }
}

/// Whether lengths differ so that it is worth while to add them up.
template<typename Form>
__device__ __forceinline__ bool
has_lanes_apart(const Form& form, const OwnLanes<Form>& own, float first) {
    const auto batch = static_cast<float>(form.batch());
    bool is_any = false;
    for_own_lengths(form, own, [&](float length) {
        is_any = is_any || is_apart(length, first, batch);
    });
    return __syncthreads_or(is_any ? 1 : 0) != 0;
}

/// Whether equal shares pay: the same answer in every block.
template<typename Form>
__device__ __forceinline__ bool is_skewed_batch(const Form& form, const OwnLanes<Form>& own) {
    __shared__ unsigned sums[kWarp];
    __shared__ unsigned most[kWarp];
    unsigned longest = 0;
    unsigned total = 0;
    int at = static_cast<int>(threadIdx.x);
    for_own_lengths(form, own, [&](float length) {
        longest = max(longest, __float_as_uint(length)); // order of bits and of values agree
        total +=
            at < form.batch() ? static_cast<unsigned>(length_units(static_cast<int>(length))) : 0U;
        at += static_cast<int>(blockDim.x);
    });
    const unsigned warp = threadIdx.x / kWarp;
    const unsigned lane = threadIdx.x % kWarp;
    sums[warp] = __reduce_add_sync(kWholeWarp, total); // the lanes of a warp agree
    most[warp] = __reduce_max_sync(kWholeWarp, longest);
    __syncthreads();
    const bool is_warp = lane < blockDim.x / kWarp;
    total = __reduce_add_sync(kWholeWarp, is_warp ? sums[lane] : 0U);
    longest = __reduce_max_sync(kWholeWarp, is_warp ? most[lane] : 0U);
    const float all = static_cast<float>(std::int64_t{total} * kLengthUnit);
    return is_skewed(__uint_as_float(longest), static_cast<float>(form.batch()), all);
}

/// Puts lane `at` of each thread, if there is one, behind `before` vectors; returns the vectors up
/// to the last thread's. @param warp_sums of shared memory, an entry a warp
template<typename Form>
__device__ __forceinline__ int share_round(
    const Form& form, int at, const typename Form::Loads& loads, int before, int* warp_sums
) {
    extern __shared__ SharedLane lanes[];
    SharedLane lane;
    if (at < form.batch()) {
        lane = form.shared(at, loads);
    }
    const int vectors = vectors_of(lane.count, lane.lead % kNotPacked);
    const BlockPrefix sums = block_sums(vectors, warp_sums);
    if (at < form.batch()) {
        lane.end = before + sums.before + vectors;
        lanes[at] = lane;
    }
    __syncthreads(); // and the warps' sums may be overwritten
    return before + sums.all;
}

/// Puts all lanes into shared memory and returns the vectors of all of them.
template<typename Form>
__device__ __forceinline__ int share_lanes(const Form& form, const OwnLanes<Form>& own) {
    __shared__ int warp_sums[kWarp];
    const int width = static_cast<int>(blockDim.x);
    int at = static_cast<int>(threadIdx.x);
    int before = share_round(form, at, own.first, 0, warp_sums);
    if (form.batch() > width) {
        at += width;
        before = share_round(form, at, own.second, before, warp_sums);
#pragma unroll 1
        for (int base = 2 * width; base < form.batch(); base += width) {
            at += width;
            const auto loads = form.ask(min(at, form.batch() - 1));
            before = share_round(form, at, loads, before, warp_sums);
        }
    }
    return before;
}

/// The share of block `block`, of `blocks`, in `end` vectors of lanes in shared memory: the same
/// number for each, wherever lanes begin, pass after pass over all.
template<typename Form>
__device__ __forceinline__ void walk_share(const Form& form, int end, int block, int blocks) {
    extern __shared__ SharedLane lanes[];
    const int step = blocks * static_cast<int>(blockDim.x);
#pragma unroll 1
    for (int at = block * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x); at < end;
         at += step) {
        const SharedLane& found = lanes[lane_with(lanes, form.batch(), at)];
        const auto lane = form.lane_from(found);
        const int first = (at - found.end + lane.vectors()) * kVector - lane.lead;
        Tokens tokens;
        if (lane.is_packed) {
            load_tokens<true>(tokens, lane, first);
        } else {
            load_tokens<false>(tokens, lane, first);
        }
        translate_and_store(tokens, lane, first);
    }
}

template<typename Form>
__device__ __forceinline__ void walk_equal_shares(const Form& form, const OwnLanes<Form>& own) {
    const int end = share_lanes(form, own);
    const int block = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x);
    walk_share(form, end, block, static_cast<int>(gridDim.x * gridDim.y));
}

/// Lane blockIdx.x, part blockIdx.y of gridDim.y.
template<Split kSplit, int kVectors, typename Form>
__device__ __forceinline__ void walk_batch(const Form& form) {
    const int own = static_cast<int>(blockIdx.x);
    const int part = static_cast<int>(blockIdx.y);
    const int parts = static_cast<int>(gridDim.y);
    wait_for_previous();
    if constexpr (kSplit == Split::flat) {
        let_next_start();
        walk_equal_shares(form, OwnLanes(form));
    } else if constexpr (kSplit == Split::rows) {
        const auto lane = form.lane(own, form.ask(own));
        let_next_start();
        walk_part<kVectors>(lane, part, parts);
    } else {
        const auto loads = form.ask(own);
        const OwnLanes mine(form);
        const float first = form.length(0);
        const auto lane = form.lane(own, loads);
        const bool is_even = !has_lanes_apart(form, mine, first);
        let_next_start();
        if (is_even || !is_skewed_batch(form, mine)) {
            walk_part<kVectors>(lane, part, parts);
        } else {
            walk_equal_shares(form, mine);
        }
    }
    form.finish(own);
}

} // namespace kvprof::kernels::cuda
