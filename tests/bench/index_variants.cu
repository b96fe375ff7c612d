#include "kernels/cuda/dispatch.cuh"
#include "tests/bench/index_variants.h"
#include "tests/bench/index_walks.cuh"

namespace kvprof::bench {
namespace {

using kernels::IndexType;
using kernels::LaunchShape;
using kernels::PageTableCall;
using kernels::TokenStreamCall;

template<typename Rule, int TargetBlocks>
LaunchShape shape_of(const kernels::ReadLanes& lanes) {
    const kernels::Tuning tuning{Rule::kThreads, Rule::kItems, TargetBlocks};
    return kernels::batch_shape(tuning, lanes.batch, lanes.req_columns);
}

/// Overlapping rules need the launch attribute that lets a kernel start before its predecessor
/// ends.
template<typename Rule, typename Call>
cudaError_t launch_as(
    void (*kernel)(Call, std::int64_t),
    const LaunchShape& shape,
    const Call& call,
    std::int64_t bound,
    cudaStream_t cuda_stream
) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid_of(shape);
    config.blockDim = dim3(static_cast<unsigned>(shape.threads));
    config.stream = cuda_stream;
    config.attrs = &attribute;
    config.numAttrs = Rule::kOverlap ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, call, bound);
}

template<typename Rule, int TargetBlocks>
cudaError_t table(const PageTableCall& call, cudaStream_t cuda_stream) {
    const auto shape = shape_of<Rule, TargetBlocks>(call.lanes);
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return launch_as<Rule>(
            table_variant<Rule, decltype(physical)>,
            shape,
            call,
            kernels::column_cap(call),
            cuda_stream
        );
    });
}

template<typename Rule, int TargetBlocks>
cudaError_t stream(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    const auto shape = shape_of<Rule, TargetBlocks>(call.lanes);
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return launch_as<Rule>(
            stream_variant<Rule, decltype(physical)>,
            shape,
            call,
            kernels::readable_tokens(call.lanes),
            cuda_stream
        );
    });
}

template<
    int Threads,
    int Items,
    int TargetBlocks,
    Walk Way,
    bool EvictFirst = false,
    bool Overlap = false>
constexpr IndexVariant variant(const char* name) {
    using Rule = WalkRule<Threads, Items, Way, EvictFirst, Overlap>;
    return {name, table<Rule, TargetBlocks>, stream<Rule, TargetBlocks>};
}

constexpr auto kEven = Walk::contiguous;
constexpr auto kStride = Walk::strided;

// threads x items, target blocks, way, cache policy of req_to_token, overlapping launch
constexpr IndexVariant kVariants[] = {
    variant<256, 2, 1024, kStride>("256x2 1024 stride"),
    variant<256, 4, 1024, kStride>("256x4 1024 stride"),
    variant<256, 8, 1024, kStride>("256x8 1024 stride"),
    variant<512, 4, 528, kStride>("512x4  528 stride"),
    variant<1024, 2, 264, kStride>("1024x2 264 stride"),
    variant<256, 4, 1024, kEven>("256x4 1024 even"),
    variant<256, 4, 1024, kEven, true>("256x4 1024 even evict-first"),
    variant<256, 4, 1024, kEven, false, true>("256x4 1024 even overlap"),
    variant<256, 8, 1024, kEven>("256x8 1024 even"),
    variant<256, 8, 1024, kEven, false, true>("256x8 1024 even overlap"),
    variant<256, 8, 1024, kEven, true>("256x8 1024 even evict-first"),
    variant<256, 16, 1024, kEven>("256x16 1024 even"),
    variant<256, 4, 2048, kEven>("256x4 2048 even"),
    variant<256, 8, 528, kEven>("256x8  528 even"),
    variant<128, 4, 1024, kEven>("128x4 1024 even"),
    variant<128, 8, 2048, kEven>("128x8 2048 even"),
    variant<512, 4, 528, kEven>("512x4  528 even"),
    variant<512, 4, 528, kEven, false, true>("512x4  528 even overlap"),
    variant<512, 8, 528, kEven>("512x8  528 even"),
    variant<512, 4, 264, kEven>("512x4  264 even"),
    variant<1024, 4, 264, kEven>("1024x4 264 even"),
    variant<1024, 4, 132, kEven>("1024x4 132 even"),
};

} // namespace

std::span<const IndexVariant> index_variants() {
    return kVariants;
}

} // namespace kvprof::bench
