#include "capture/cuda/free_memory_sampler.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>

namespace kvprof::cuda {

FreeMemorySampler::FreeMemorySampler(int device)
    : thread_([this, device](const std::stop_token& stop) { sample(stop, device); }) {}

void FreeMemorySampler::sample(const std::stop_token& stop, int device) {
    using namespace std::chrono_literals;
    if (cudaSetDevice(device) != cudaSuccess) { // a new thread starts on device 0
        return;
    }
    while (!stop.stop_requested()) {
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        // An error is another thread's and is reported there.
        if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
            least_ = std::min(least_, static_cast<std::int64_t>(free_bytes));
        }
        std::this_thread::sleep_for(1ms);
    }
}

std::optional<Bytes> FreeMemorySampler::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    return least_ == kNone ? std::nullopt : std::optional(Bytes{least_});
}

} // namespace kvprof::cuda
