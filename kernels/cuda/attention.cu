#include "kernels/cuda/attention.h"
#include "kernels/cuda/attention_block.cuh"
#include "kernels/cuda/attention_warp.cuh"
#include "kernels/cuda/attention_warpgroup_launch.cuh"
#include "kernels/kv_layout.h"
#include "kernels/launch_geometry_attention.h"

namespace kvprof::kernels::cuda {
namespace {

std::int64_t pitch_of(const KvLayer& layer) {
    return layer.page_pitch == 0 ? layer.row_bytes : layer.page_pitch;
}

bool is_supported(const AttentionCall& call) {
    const HeadShape& heads = call.heads;
    return heads.dim_k > 0 && heads.dim_k <= kMaxHeadDim && heads.dim_v > 0
           && heads.dim_v <= kMaxHeadDim && heads.kv_heads > 0 && heads.query_heads > 0
           && heads.query_heads <= kMaxQueryHeads && heads.query_heads % heads.kv_heads == 0
           && (!is_v_in_k(call.layer) || heads.dim_v <= heads.dim_k) && call.splits > 0
           && call.layer.row_bytes > 0 && call.layer.page_rows > 0
           && pitch_of(call.layer) % call.layer.row_bytes == 0 && call.splits <= kMaxAttentionSplits
           && call.batch <= 65535;
}

RowPlan row_plan(const AttentionCall& call) {
    const KvLayer& layer = call.layer;
    const auto is_aligned = [](const void* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    };
    return {
        {static_cast<int>(layer.page_rows), static_cast<int>(pitch_of(layer) / layer.row_bytes)},
        is_v_in_k(layer),
        call.heads.dim_k % kPack == 0 && call.heads.dim_v % kPack == 0 && layer.row_bytes % 16 == 0
            && is_aligned(layer.k) && is_aligned(layer.v),
    };
}

/// Head tiles are innermost: those that read the same rows run together and share them in L2.
dim3 grid_of(const AttentionCall& call, std::int64_t most_heads) {
    const std::int64_t group = call.heads.query_heads / call.heads.kv_heads;
    return {
        static_cast<unsigned>(call.heads.kv_heads * ((group + most_heads - 1) / most_heads)),
        static_cast<unsigned>(call.splits),
        static_cast<unsigned>(call.batch)};
}

template<int kDimSteps>
cudaError_t launch_warps(const AttentionCall& call, const RowGrid& rows, cudaStream_t cuda_stream) {
    constexpr int kBytes = WarpShape<kDimSteps>::kSharedBytes;
    static_assert(kBytes <= 48 * 1024); // what needs no leave
    attention_by_warps<kDimSteps>
        <<<grid_of(call, kMaxWarpHeads), kWarp, kBytes, cuda_stream>>>(call, rows);
    return cudaGetLastError();
}

/// With as many stages as the device has room for.
template<typename Shape>
cudaError_t launch_shape(const AttentionCall& call, RowPlan plan, cudaStream_t cuda_stream) {
    int device = 0;
    int most_bytes = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess) {
        status =
            cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    if (status != cudaSuccess) {
        return status;
    }
    plan.stages = kMostStages;
    while (plan.stages > 2 && plan.shared_bytes<Shape>() > most_bytes) {
        --plan.stages;
    }
    const int bytes = plan.shared_bytes<Shape>();
    status = cudaFuncSetAttribute(
        attention_by_blocks<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes
    );
    if (status != cudaSuccess) {
        return cudaGetLastError(); // takes it back, or the next launch would report it again
    }
    attention_by_blocks<Shape>
        <<<grid_of(call, Shape::kHeads), kBlockThreads, bytes, cuda_stream>>>(call, plan);
    return cudaGetLastError();
}

template<int kHeadTiles>
cudaError_t launch_blocks(const AttentionCall& call, cudaStream_t cuda_stream) {
    const RowPlan plan = row_plan(call);
#ifdef KVPROF_WARPGROUP // the build has code for sm_90a
    if (fits_a_warpgroup(call, plan)) {
        constexpr int kHeads = kHeadTiles * kHeadTile;
        return launch_by_warpgroup<kHeads>(call, plan.grid, grid_of(call, kHeads), cuda_stream);
    }
#endif
    const auto widest = std::max(call.heads.dim_k, call.heads.dim_v);
    if (widest <= 64) {
        return launch_shape<BlockShape<kHeadTiles, 1, 1>>(call, plan, cuda_stream);
    }
    if (widest <= 128) {
        return launch_shape<BlockShape<kHeadTiles, 2, 1>>(call, plan, cuda_stream);
    }
    if (widest <= 256) {
        return launch_shape<BlockShape<kHeadTiles, 4, 2>>(call, plan, cuda_stream);
    }
    if (widest <= 512) {
        return launch_shape<BlockShape<kHeadTiles, 8, 4>>(call, plan, cuda_stream);
    }
    if (call.heads.dim_v <= 512) {
        return launch_shape<BlockShape<kHeadTiles, 9, 4>>(call, plan, cuda_stream);
    }
    return launch_shape<BlockShape<kHeadTiles, 9, 5>>(call, plan, cuda_stream);
}

} // namespace

cudaError_t launch(const AttentionCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (!is_supported(call)) {
        return cudaErrorInvalidValue;
    }
    const HeadShape& heads = call.heads;
    const RowPlan plan = row_plan(call);
    const auto warps = call.batch * heads.kv_heads * call.splits;
    if (plan.is_packed && is_by_warps(heads, plan.is_v_in_k, warps)) {
        return std::max(heads.dim_k, heads.dim_v) <= 64
                   ? launch_warps<4>(call, plan.grid, cuda_stream)
                   : launch_warps<8>(call, plan.grid, cuda_stream);
    }
    return heads.query_heads <= kHeadTile * heads.kv_heads ? launch_blocks<1>(call, cuda_stream)
                                                           : launch_blocks<2>(call, cuda_stream);
}

} // namespace kvprof::kernels::cuda
