#include "capture/cuda/replay_clock.h"

#include "capture/cuda/cuda_check.h"

namespace kvprof::cuda {

void ReplayClock::record(const Stream& stream) {
    if (used_ == events_.size()) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event), "create an event");
        events_.emplace_back(event);
    }
    check(cudaEventRecord(events_[used_].get(), stream.get()), "record an event");
    ++used_;
}

void ReplayClock::start(const Stream& stream) {
    record(stream);
}

void ReplayClock::stop(const Stream& stream) {
    record(stream);
}

std::chrono::nanoseconds ReplayClock::take() {
    std::chrono::nanoseconds sum{0};
    for (std::size_t i = 0; i + 1 < used_; i += 2) {
        float milliseconds = 0.0F;
        check(
            cudaEventElapsedTime(&milliseconds, events_[i].get(), events_[i + 1].get()),
            "read an event pair"
        );
        sum += std::chrono::nanoseconds(
            static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6)
        );
    }
    used_ = 0;
    return sum;
}

} // namespace kvprof::cuda
