#pragma once

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/attention_block_shape.cuh"
#include "kernels/cuda/attention_tile.cuh"

/// How a block of attention brings rows to shared memory.
namespace kvprof::kernels::cuda {

/// Copies tiles of 32 tokens of one head's K and V, four rows a warp. On Hopper a row is one bulk
/// copy by one thread, which leaves the warps to their arithmetic.
template<typename Shape>
class RowCopies {
  public:
    /// `arrived` has one barrier a stage.
    __device__ RowCopies(
        const AttentionCall& call,
        const RowPlan& plan,
        int kv_head,
        const SplitRange& range,
        CopyBarrier* arrived
    )
        : call_(call),
          plan_(plan),
          k_(call.layer.k + kv_head * call.heads.dim_k * 2),
          v_(call.layer.v + kv_head * call.heads.dim_v * 2),
          arrived_(arrived),
          window_(call, plan.grid, range, range.begin + warp() * kRows) {}

    /// Before all else, by the whole block.
    __device__ void set_up(__nv_bfloat16* stages) const {
        for (int stage = 0; stage < plan_.stages; ++stage) {
            if (threadIdx.x == 0) {
                arrived_[stage].set_up(is_bulk() ? kBlockTokens : kBlockThreads);
            }
            clear_padding<Shape::kKColumns>(
                stages + stage * plan_.stage_elements<Shape>(),
                kBlockTokens,
                static_cast<int>(call_.heads.dim_k),
                warp(),
                kBlockWarps
            );
        }
        fence_async_proxy();
        __syncthreads();
    }

    /// Tiles in order. Nobody may read the stage, and its barrier ends a phase when the tile is
    /// there.
    __device__ void start(__nv_bfloat16* stages, int tile, int stage) {
        window_.enter(tile);
        auto* k = stages + stage * plan_.stage_elements<Shape>() + warp() * kRows * Shape::kKPitch;
        auto* v = stages + stage * plan_.stage_elements<Shape>() + kBlockTokens * Shape::kKPitch
                  + warp() * kRows * Shape::kVPitch;
        if (is_bulk()) {
            copy_rows(k, v, tile, arrived_[stage]);
            return;
        }
#pragma unroll
        for (int row = 0; row < kRows; ++row) {
            const std::int64_t offset = window_.row(tile, row) * call_.layer.row_bytes;
            copy(k + row * Shape::kKPitch, k_ + offset, k_dim());
            if (!plan_.is_v_in_k) {
                copy(v + row * Shape::kVPitch, v_ + offset, v_dim());
            }
        }
        if (plan_.is_packed) {
            arrived_[stage].arrive_with_copies();
        } else {
            arrived_[stage].arrive();
        }
    }

  private:
    static constexpr int kRows = kBlockTokens / kBlockWarps;

    [[nodiscard]] __device__ static int warp() {
        return static_cast<int>(threadIdx.x) / kWarp;
    }

    [[nodiscard]] __device__ static int lane() {
        return static_cast<int>(threadIdx.x) % kWarp;
    }

    [[nodiscard]] __device__ int k_dim() const {
        return static_cast<int>(call_.heads.dim_k);
    }

    [[nodiscard]] __device__ int v_dim() const {
        return static_cast<int>(call_.heads.dim_v);
    }

    [[nodiscard]] __device__ bool is_bulk() const {
#if __CUDA_ARCH__ >= 900
        return plan_.is_packed;
#else
        return false;
#endif
    }

    /// Each of the first lanes copies a whole row.
    __device__ void
    copy_rows(__nv_bfloat16* k, __nv_bfloat16* v, int tile, CopyBarrier& arrived) const {
#if __CUDA_ARCH__ >= 900
        const std::int64_t offset = window_.row(tile, lane() % kRows) * call_.layer.row_bytes;
        if (lane() < kRows) {
            const int k_bytes = k_dim() * 2;
            const int v_bytes = plan_.is_v_in_k ? 0 : v_dim() * 2;
            arrived.arrive_announcing(k_bytes + v_bytes);
            copy_bulk(k + lane() * Shape::kKPitch, k_ + offset, k_bytes, arrived);
            if (!plan_.is_v_in_k) {
                copy_bulk(v + lane() * Shape::kVPitch, v_ + offset, v_bytes, arrived);
            }
        }
#endif
    }

    /// All lanes copy one row; heads that are not aligned to 16 bytes go element by element.
    __device__ void copy(__nv_bfloat16* out, const std::uint8_t* row, int dim) const {
        if (plan_.is_packed) {
            for (int element = lane() * kPack; element < dim; element += kWarp * kPack) {
                copy_async_16(out + element, row + element * 2);
            }
            return;
        }
        const auto* elements = reinterpret_cast<const __nv_bfloat16*>(row);
        for (int element = lane(); element < dim; element += kWarp) {
            out[element] = elements[element];
        }
    }

    const AttentionCall& call_;
    const RowPlan& plan_;
    const std::uint8_t* k_;
    const std::uint8_t* v_;
    CopyBarrier* arrived_;
    RowWindow<kBlockTokens, kRows> window_;
};

} // namespace kvprof::kernels::cuda
