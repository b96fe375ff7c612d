#pragma once

#include "capture/cuda/graph.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>
#include <type_traits>
#include <vector>

namespace kvprof::cuda {

/// Device time of stretches of a stream, by event pairs. Events are made once and used again.
class ReplayClock {
  public:
    void start(const Stream& stream);
    void stop(const Stream& stream);
    /// Sum of the stretches since the last call; the stream must be idle.
    [[nodiscard]] std::chrono::nanoseconds take();

  private:
    struct Destroy {
        void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
    };

    using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;

    void record(const Stream& stream);

    std::vector<Event> events_;
    std::size_t used_ = 0;
};

} // namespace kvprof::cuda
