#pragma once

#include "kernels/cuda/lane_walk.cuh"

/// Ways of dividing a lane over its blocks that the product does not ship; page size 1, i32 ids.
namespace kvprof::bench {

using namespace kernels::cuda; // the shipped walk, whose parts the variants are made of

/// How a lane's blocks divide it: `contiguous` shares, or passes that are `parts` passes apart.
enum class Walk : std::uint8_t { contiguous, strided };

/// Compile-time choices of one batch-grid kernel.
template<int Threads, int Items, Walk Way, bool EvictFirst, bool Overlap>
struct WalkRule {
    static constexpr int kThreads = Threads;
    static constexpr int kItems = Items;
    static constexpr Walk kWay = Way;
    static constexpr bool kEvictFirst = EvictFirst;
    static constexpr bool kOverlap = Overlap;
};

/// With an overlapping launch the blocks start while the kernel before still runs. They let the
/// kernel after do the same, and then wait until all that came before is complete and visible.
template<typename Rule>
__device__ __forceinline__ void join_stream_order() {
#if __CUDA_ARCH__ >= 900
    if constexpr (Rule::kOverlap) {
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
#endif
}

/// req_to_token is read once: evict-first leaves the cache to v2p.
template<typename Rule, typename Writer>
struct RuledWriter : Writer {
    std::uint32_t first = 0; ///< position of item 0

    __device__ std::int32_t token(int item) const {
        if constexpr (Rule::kEvictFirst) {
            return __ldcs(this->reader.tokens + first + static_cast<std::uint32_t>(item));
        } else {
            return Writer::token(item);
        }
    }
};

/// Items [begin, end) of one of a lane's `parts` blocks; empty when begin >= end.
struct Share {
    int begin = 0;
    int end = 0;
};

/// Cuts `live` items evenly, in whole warps, but gives no block fewer than kLeastShare: a short
/// lane uses few blocks, and the rest exit at once.
[[nodiscard]] __device__ inline Share share_of(int live, int parts, int part) {
    constexpr int kWarpItems = 32;
    const int even = static_cast<int>(
        (static_cast<unsigned>(live) + static_cast<unsigned>(parts) - 1)
        / static_cast<unsigned>(parts)
    );
    const int whole_warps = (even + kWarpItems - 1) / kWarpItems * kWarpItems;
    const int size = whole_warps < kernels::kLeastShare ? kernels::kLeastShare : whole_warps;
    const std::int64_t begin = static_cast<std::int64_t>(part) * size;
    if (begin >= live) {
        return {};
    }
    const std::int64_t end = begin + size;
    return {static_cast<int>(begin), end < live ? static_cast<int>(end) : live};
}

/// This block's part of a lane with `live` items.
template<typename Rule, typename Physical, typename Writer>
__device__ __forceinline__ void walk_part(const Writer& writer, int live) {
    constexpr int kThreads = Rule::kThreads;
    constexpr int kItems = Rule::kItems;
    const int parts = static_cast<int>(gridDim.y);
    const int part = static_cast<int>(blockIdx.y);
    if constexpr (Rule::kWay == Walk::contiguous) {
        const Share share = share_of(live, parts, part);
        const int first = share.begin + static_cast<int>(threadIdx.x);
        for (int base = first; base < share.end; base += kThreads * kItems) {
            write_pass<kThreads, kItems, Physical>(writer, base, share.end);
        }
    } else {
        write_part<kThreads, kItems, Physical>(writer, live, parts, part);
    }
}

/// `cap` is column_cap(call).
template<typename Rule, typename Physical>
__global__ void __launch_bounds__(Rule::kThreads)
    table_variant(const __grid_constant__ kernels::PageTableCall call, std::int64_t cap) {
    join_stream_order<Rule>();
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    const auto row = __ldg(call.lanes.rows + lane);
    const auto length = load_index(call.lanes.lens, lane);
    const RuledWriter<Rule, TableWriter<1, Physical>> writer{
        {{call.lanes, row},
         static_cast<std::uint32_t>(call.lanes.mult),
         call.out + lane * call.stride}};
    walk_part<Rule, Physical>(writer, static_cast<int>(kernels::live_columns(length, 1, cap)));
}

/// `readable` is readable_tokens(call.lanes).
template<typename Rule, typename Physical>
__global__ void __launch_bounds__(Rule::kThreads)
    stream_variant(const __grid_constant__ kernels::TokenStreamCall call, std::int64_t readable) {
    join_stream_order<Rule>();
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    const auto row = __ldg(call.lanes.rows + lane);
    const Window window = window_of(call, readable, lane);
    const RuledWriter<Rule, StreamWriter<1, Physical, std::int32_t>> writer{
        {{call.lanes, row},
         static_cast<std::uint32_t>(call.lanes.mult),
         window.start,
         static_cast<std::int32_t*>(call.out.data) + window.offset},
        window.start};
    walk_part<Rule, Physical>(writer, window.live);
}

} // namespace kvprof::bench
