#include "kernels/attention_math.h"
#include "kernels/cuda/attention.h"
#include "kernels/cuda/attention_softmax.cuh"
#include "kernels/cuda/attention_tile.cuh"
#include "kernels/kv_layout.h"
#include "kernels/launch_geometry_attention.h"

namespace kvprof::kernels::cuda {
namespace {

/// Writes the partial of one row of the tile, unless no head stands behind it.
template<int kPairs>
__device__ void store_row(
    const AttentionCall& call,
    const HeadTile& tile,
    const RowState& state,
    const Accumulators<kPairs>& sums,
    bool lower
) {
    const float total = state.total(); // every lane takes part
    const int lane = threadIdx.x % kWarp;
    const int row = lane / 4 + (lower ? 8 : 0);
    if (row >= tile.heads) {
        return;
    }
    const auto dim_v = static_cast<int>(call.heads.dim_v);
    float* partial =
        call.partial
        + partial_offset(call.heads, call.splits, blockIdx.z, tile.first_head + row, blockIdx.y);
    const bool is_empty = total == 0.0F;
    sums.store(partial, dim_v, lower, is_empty ? 0.0F : 1.0F / total);
    if (threadIdx.x < kWarp && lane % 4 == 0) {
        partial[dim_v] = is_empty ? -INFINITY : state.maximum * kLn2 + logf(total);
    }
}

/// One tile of heads over one split of one lane. While a token tile is worked on, the copy of the
/// next one is in flight, and the ids of the one after that are being read.
template<int kPairs>
__global__ void __launch_bounds__(kAttentionThreads)
    attention_kernel(AttentionCall call, AttentionTiles tiles) {
    extern __shared__ __align__(16) std::uint8_t shared[];
    auto* scores = reinterpret_cast<float*>(shared);
    auto* query = reinterpret_cast<__nv_bfloat16*>(scores + kHeadTile * kScorePitch);
    auto* stages = query + kHeadTile * tiles.k.pitch();
    const int stage_elements = tiles.stage_elements();
    const int batch_lane = blockIdx.z;
    const int lane = threadIdx.x % kWarp;
    const HeadTile tile = head_tile(call.heads, tiles.tiles_per_kv_head, blockIdx.x);
    const auto range = attended_range(call, batch_lane, blockIdx.y);
    const auto id_at = [&](int begin) {
        const int position = begin + lane;
        return position < range.end ? tiles.rows.row_of(
                   static_cast<std::int32_t>(attention_row(call, batch_lane, position))
               )
                                    : 0;
    };
    const auto start = [&](int begin, std::int32_t id) {
        auto* stage = stages + (begin - range.begin) / kTokenTile % kStages * stage_elements;
        start_stage(stage, call, tiles, tile.kv_head, id, min(kTokenTile, range.end - begin));
    };

    RowState upper_state;
    RowState lower_state;
    Accumulators<kPairs> sums;
    std::int32_t next_id = 0;
    if (range.begin < range.end) {
        start(range.begin, id_at(range.begin));
        next_id = id_at(range.begin + kTokenTile);
        build_query(query, tiles.k, tile, call.seed, call.owners[batch_lane]);
    }
    for (int begin = range.begin; begin < range.end; begin += kTokenTile) {
        const auto* k = stages + (begin - range.begin) / kTokenTile % kStages * stage_elements;
        wait_for_copies();
        __syncthreads(); // this stage has arrived, and nobody reads the other one any more
        if (begin + kTokenTile < range.end) {
            start(begin + kTokenTile, next_id);
            next_id = id_at(begin + 2 * kTokenTile);
        }
        score_tokens(scores, query, k, tiles.k, call.scale);
        __syncthreads();
        const int count = min(kTokenTile, range.end - begin);
        std::uint32_t upper[kTokenTile / 8];
        std::uint32_t lower[kTokenTile / 8];
        const float* row_scores = scores + lane / 4 * kScorePitch;
        const float upper_kept = upper_state.add(upper, row_scores, count);
        const float lower_kept = lower_state.add(lower, row_scores + 8 * kScorePitch, count);
        const auto* v = tiles.is_v_in_k ? k : k + kTokenTile * tiles.k.pitch();
        const int v_pitch = tiles.is_v_in_k ? tiles.k.pitch() : tiles.v.pitch();
        sums.add(v, v_pitch, tiles.v.padded, upper, lower, upper_kept, lower_kept);
    }
    store_row(call, tile, upper_state, sums, false);
    store_row(call, tile, lower_state, sums, true);
}

int round_up(std::int64_t value, int step) {
    return static_cast<int>((value + step - 1) / step * step);
}

std::int64_t pitch_of(const KvLayer& layer) {
    return layer.page_pitch == 0 ? layer.row_bytes : layer.page_pitch;
}

RowGrid row_grid(const KvLayer& layer) {
    return {static_cast<int>(layer.page_rows), static_cast<int>(pitch_of(layer) / layer.row_bytes)};
}

AttentionTiles tiles_of(const AttentionCall& call) {
    const HeadShape& heads = call.heads;
    const auto is_aligned = [](const void* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    };
    return {
        {static_cast<int>(heads.dim_k), round_up(heads.dim_k, kKStep)},
        {static_cast<int>(heads.dim_v), round_up(heads.dim_v, kVStep)},
        is_v_in_k(call.layer),
        heads.dim_k % kPack == 0 && heads.dim_v % kPack == 0 && call.layer.row_bytes % 16 == 0
            && is_aligned(call.layer.k) && is_aligned(call.layer.v),
        round_up(heads.query_heads / heads.kv_heads, kHeadTile) / kHeadTile,
        row_grid(call.layer),
    };
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

template<int kPairs>
cudaError_t launch_pairs(const AttentionCall& call, cudaStream_t cuda_stream) {
    const AttentionTiles tiles = tiles_of(call);
    const cudaError_t allowed = cudaFuncSetAttribute(
        attention_kernel<kPairs>, cudaFuncAttributeMaxDynamicSharedMemorySize, tiles.shared_bytes()
    );
    if (allowed != cudaSuccess) {
        return cudaGetLastError(); // takes it back, or the next launch would report it again
    }
    // Head tiles are innermost: blocks that read the same rows run together and share them in L2.
    const dim3 grid(
        static_cast<unsigned>(call.heads.kv_heads * tiles.tiles_per_kv_head),
        static_cast<unsigned>(call.splits),
        static_cast<unsigned>(call.batch)
    );
    attention_kernel<kPairs>
        <<<grid, kAttentionThreads, tiles.shared_bytes(), cuda_stream>>>(call, tiles);
    return cudaGetLastError();
}

} // namespace

cudaError_t launch(const AttentionCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (!is_supported(call)) {
        return cudaErrorInvalidValue;
    }
    if (call.heads.dim_v <= 64) {
        return launch_pairs<1>(call, cuda_stream);
    }
    if (call.heads.dim_v <= 128) {
        return launch_pairs<2>(call, cuda_stream);
    }
    if (call.heads.dim_v <= 256) {
        return launch_pairs<4>(call, cuda_stream);
    }
    if (call.heads.dim_v <= 512) {
        return launch_pairs<8>(call, cuda_stream);
    }
    return launch_pairs<9>(call, cuda_stream);
}

} // namespace kvprof::kernels::cuda
