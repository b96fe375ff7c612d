#pragma once

#include "kernels/cuda/lane_shares.cuh"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/launch_geometry.h"

/// How the blocks of a read kernel divide the items of a batch: Split::rows, flat and balanced.
///
/// A form is what a call lists. It loads what describes a lane (`ask`) and makes the lane of it
/// (`lane`). Where no kernel has made row starts before, blocks add up what lanes list (kSums
/// streams, `listed`), and the form takes in what comes before a lane (`placed`). `begin` and
/// `finish` do what else there is for a block's lane, before and after its items. Everything is
/// asked for before anything is used, or the latencies of the loads would add up.
namespace kvprof::kernels::cuda {

/// What a first look at all lengths tells a block.
template<int kSums>
struct FirstLook {
    bool is_apart = false; ///< lengths differ so that it is worth while to add them up
    Offsets<kSums> before; ///< of the block's own lane
};

/// One barrier. Whether lengths differ is the same answer in every block.
template<int kThreads, typename Form>
__device__ __forceinline__ FirstLook<Form::kSums>
look_at_lengths(const Form& form, const OwnLanes<kThreads, Form>& mine, int own, float first) {
    FirstLook<Form::kSums> look;
    const auto batch = static_cast<float>(form.batch());
    mine.for_each([&](int lane, const typename Form::Loads& loads) {
        look.is_apart = look.is_apart || is_apart(form.length_of(loads), first, batch);
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            look.before.at[s] += lane < own ? form.listed(loads, s) : 0;
        }
    });
    if constexpr (Form::kSums > 0) {
        __shared__ int warp_sums[Form::kSums][kWarp];
#pragma unroll
        for (int s = 0; s < Form::kSums; ++s) {
            warp_sums[s][threadIdx.x / kWarp] = __reduce_add_sync(kWholeWarp, look.before.at[s]);
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

/// Lane blockIdx.x, part blockIdx.y of gridDim.y.
template<typename Walk, typename Form>
__device__ __forceinline__ void walk_batch(const Form& form) {
    using Own = OwnLanes<Walk::kThreads, Form>;
    const int own = static_cast<int>(blockIdx.x);
    const int part = static_cast<int>(blockIdx.y);
    const int parts = static_cast<int>(gridDim.y);
    wait_for_previous();
    if constexpr (Walk::kSplit == Split::flat) {
        static_assert(Form::kSums == 0);
        let_next_start();
        walk_share<Walk::kThreads>(form, share_lanes<Walk::kThreads, false>(form, Own(form)));
    } else if constexpr (Walk::kSplit == Split::rows) {
        static_assert(Form::kSums == 0);
        const auto lane = form.lane(own, form.ask(own));
        let_next_start();
        walk_part<Walk::kVectors>(lane, part, parts);
    } else {
        const auto loads = form.ask(own);
        const Own mine(form);
        const auto look = look_at_lengths(form, mine, own, form.length(0));
        const auto placed = form.placed(loads, look.before);
        let_next_start();
        int end = 0;
        if (look.is_apart && form.may_share()) {
            end = share_lanes<Walk::kThreads, true>(form, mine);
        }
        form.begin(own, placed);
        if (end == 0) {
            walk_part<Walk::kVectors>(form.lane(own, placed), part, parts);
        } else {
            walk_share<Walk::kThreads>(form, end);
        }
    }
    form.finish(own);
}

} // namespace kvprof::kernels::cuda
