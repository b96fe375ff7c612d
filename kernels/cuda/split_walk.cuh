#pragma once

#include "kernels/cuda/lane_shares.cuh"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/launch_geometry.h"

/// How the blocks of a read kernel divide the items of a batch: Split::rows, flat and balanced.
///
/// A form is what a call lists. It loads what describes a lane (`row`, `ask_length`, and `ask` for
/// its whole extent) and makes the lane of it (`lane`). Where no kernel has made row starts before,
/// blocks add up what lanes list (kSums streams, `listed`), `begin` does what else there is for a
/// block's lane, and `may_share` says whether a block can hold all of them. `finish` does what is
/// left when the items are written. Everything is asked for before anything is used, or the
/// latencies of the loads would add up.
namespace kvprof::kernels::cuda {

/// What a first look at all lengths tells a block.
template<int kSums>
struct FirstLook {
    bool is_apart = false; ///< lengths differ so that it is worth while to add them up
    Offsets<kSums> before; ///< of the block's own lane
};

/// One barrier. @param items of lane `own`, the block's
template<int kThreads, typename Form>
__device__ __forceinline__ FirstLook<Form::kSums>
look_at_lengths(const Form& form, const OwnLanes<kThreads, Form>& mine, int own, int items) {
    FirstLook<Form::kSums> look;
    mine.for_each([&](int lane, int length) {
        look.is_apart |= is_apart(form.items(length), items, form.in.alike);
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            look.before.at[s] += lane < own ? form.listed(length, s) : 0;
        }
    });
    if constexpr (Form::kSums > 0) {
        __shared__ int warp_sums[Form::kSums][kWarp];
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            warp_sums[s][threadIdx.x / kWarp] =
                mine.has_any() ? __reduce_add_sync(kWholeWarp, look.before.at[s]) : 0;
        }
        look.is_apart = __syncthreads_or(look.is_apart ? 1 : 0) != 0;
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            look.before.at[s] = sum_of_warps<kThreads>(warp_sums[s]);
        }
    } else {
        look.is_apart = __syncthreads_or(look.is_apart ? 1 : 0) != 0;
    }
    return look;
}

/// The balanced split where row starts are there: a block's first tokens are on their way while it
/// looks at lengths.
template<typename Walk, typename Form>
__device__ __forceinline__ void walk_balanced(const Form& form, int own, int part, int parts) {
    using Part = PartWalk<Walk::kVectors, typename Form::Writer>;
    const int row = form.row(own);
    const auto extent = form.ask(own, {});
    const OwnLanes<Walk::kThreads, Form> mine(form);
    const int items = form.items(form.length_of(extent));
    Part walk(form.lane(own, row, extent), part, parts);
    let_next_start();
    const bool is_apart = look_at_lengths(form, mine, own, items).is_apart;
    if (!is_apart) {
        walk.run();
        return;
    }
    const int end = share_lanes<Walk::kThreads, true>(form, mine);
    if (end != 0) {
        walk_share<Walk::kThreads>(form, end);
    } else { // from the start, so that nothing of it takes registers until here
        Part(form.lane(own, form.row(own), form.ask(own, {})), part, parts).run();
    }
}

/// The same where the block has to add up what comes before its lane.
template<typename Walk, typename Form>
__device__ __forceinline__ void walk_summed(const Form& form, int own, int part, int parts) {
    using Part = PartWalk<Walk::kVectors, typename Form::Writer>;
    const int row = form.row(own);
    const int length = form.ask_length(own);
    const OwnLanes<Walk::kThreads, Form> mine(form);
    const auto look = look_at_lengths(form, mine, own, form.items(length));
    let_next_start();
    int end = 0;
    if (look.is_apart && form.may_share()) {
        end = share_lanes<Walk::kThreads, true>(form, mine);
    }
    const auto extent = form.placed(length, look.before);
    form.begin(own, row, extent);
    if (end != 0) {
        walk_share<Walk::kThreads>(form, end);
    } else {
        Part(form.lane(own, row, extent), part, parts).run();
    }
}

/// Lane blockIdx.x, part blockIdx.y of gridDim.y.
template<typename Walk, typename Form>
__device__ __forceinline__ void walk_batch(const Form& form) {
    const int own = static_cast<int>(blockIdx.x);
    const int part = static_cast<int>(blockIdx.y);
    const int parts = static_cast<int>(gridDim.y);
    wait_for_previous();
    if constexpr (Form::kSums > 0) {
        static_assert(Walk::kSplit == Split::balanced);
        walk_summed<Walk>(form, own, part, parts);
    } else if constexpr (Walk::kSplit == Split::balanced) {
        walk_balanced<Walk>(form, own, part, parts);
    } else if constexpr (Walk::kSplit == Split::flat) {
        let_next_start();
        const OwnLanes<Walk::kThreads, Form> mine(form);
        walk_share<Walk::kThreads>(form, share_lanes<Walk::kThreads, false>(form, mine));
    } else {
        const int row = form.row(own);
        const auto extent = form.ask(own, {});
        let_next_start();
        PartWalk<Walk::kVectors, typename Form::Writer>(form.lane(own, row, extent), part, parts)
            .run();
    }
    form.finish(own);
}

} // namespace kvprof::kernels::cuda
