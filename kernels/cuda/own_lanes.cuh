#pragma once

namespace kvprof::kernels::cuda {

/// The lanes that a thread looks after when lengths are compared and added up: neighbours, so that
/// sums over threads are in the order of lanes. The first two are asked for at once.
template<int kThreads, typename Form>
class OwnLanes {
  public:
    using Loads = typename Form::Loads;

    __device__ __forceinline__ explicit OwnLanes(const Form& form)
        : form_(form),
          each_((form.batch() + kThreads - 1) / kThreads),
          first_(static_cast<int>(threadIdx.x) * each_),
          loads_(ask(0)),
          more_(loads_) {
        if (each_ > 1) {
            more_ = ask(1);
        }
    }

    /// body(lane, loads). Lanes past the batch come too, with the loads of its last.
    template<typename Body>
    __device__ __forceinline__ void for_each(const Body& body) const {
        body(first_, loads_);
        if (each_ > 1) {
            body(first_ + 1, more_);
#pragma unroll 1
            for (int i = 2; i < each_; ++i) {
                body(first_ + i, ask(i));
            }
        }
    }

    /// body(lane) for those that there are.
    template<typename Body>
    __device__ __forceinline__ void for_each_lane(const Body& body) const {
#pragma unroll 1
        for (int lane = first_; lane < min(first_ + each_, form_.batch()); ++lane) {
            body(lane);
        }
    }

  private:
    [[nodiscard]] __device__ __forceinline__ Loads ask(int i) const {
        return form_.ask(min(first_ + i, form_.batch() - 1));
    }

    const Form& form_;
    int each_;
    int first_;
    Loads loads_;
    Loads more_;
};

} // namespace kvprof::kernels::cuda
