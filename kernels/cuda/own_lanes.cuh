#pragma once

#include "kernels/cuda/warp_scan.cuh"

namespace kvprof::kernels::cuda {

/// The lanes that a thread looks after when lengths are compared and added up: neighbours, so that
/// sums over threads are in the order of lanes. Warps that have none leave all of it out: eight of
/// them stand in line for every instruction. The first two lanes are asked for at once.
template<int kThreads, typename Form>
class OwnLanes {
  public:
    __device__ __forceinline__ explicit OwnLanes(const Form& form)
        : form_(form),
          each_(static_cast<int>(static_cast<unsigned>(form.batch() + kThreads - 1) / kThreads)),
          first_(static_cast<int>(threadIdx.x) * each_) {
        if (has_any()) {
            length_ = ask(0);
            if (each_ > 1) {
                more_ = ask(1);
            }
        }
    }

    /// Whether this warp has lanes; those that have come first.
    [[nodiscard]] __device__ __forceinline__ bool has_any() const {
        return static_cast<int>(threadIdx.x / kWarp * kWarp) * each_ < form_.batch();
    }

    /// body(lane, length). Lanes past the batch come too, with the length of its last.
    template<typename Body>
    __device__ __forceinline__ void for_each(const Body& body) const {
        if (has_any()) {
            body(first_, length_);
            if (each_ > 1) {
                body(first_ + 1, more_);
#pragma unroll 1
                for (int i = 2; i < each_; ++i) {
                    body(first_ + i, ask(i));
                }
            }
        }
    }

  private:
    [[nodiscard]] __device__ __forceinline__ int ask(int i) const {
        return form_.ask_length(min(first_ + i, form_.batch() - 1));
    }

    const Form& form_;
    int each_;
    int first_;
    int length_ = 0;
    int more_ = 0;
};

} // namespace kvprof::kernels::cuda
