#include "tests/bench/graph_time.h"

#include "tests/support/device_vector.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kvprof::bench {
namespace {

using test::CapturedGraph;
using test::require_cuda;

constexpr int kLaunches = 20;
constexpr double kSampleUs = 200.0;

class Event {
  public:
    Event() { require_cuda(cudaEventCreate(&event_), "create an event"); }

    Event(Event&&) = delete;
    Event& operator=(Event&&) = delete;

    ~Event() { cudaEventDestroy(event_); }

    void record(cudaStream_t stream) const {
        require_cuda(cudaEventRecord(event_, stream), "record an event");
    }

    [[nodiscard]] double us_since(const Event& earlier) const {
        float milliseconds = 0;
        require_cuda(cudaEventSynchronize(event_), "wait for an event");
        require_cuda(
            cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "read an event pair"
        );
        return static_cast<double>(milliseconds) * 1000.0;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// Times `samples` runs of `replays` replays each, in us per launch.
std::vector<double> sample(const CapturedGraph& graph, int samples, int replays) {
    const std::vector<Event> events(static_cast<std::size_t>(samples) + 1);
    events.front().record(graph.stream());
    for (std::size_t i = 1; i < events.size(); ++i) {
        for (int r = 0; r < replays; ++r) {
            graph.replay();
        }
        events[i].record(graph.stream());
    }
    std::vector<double> times;
    for (std::size_t i = 1; i < events.size(); ++i) {
        times.push_back(events[i].us_since(events[i - 1]) / (replays * kLaunches));
    }
    return times;
}

} // namespace

double median_us(const Launch& launch, int samples) {
    const CapturedGraph graph([&](cudaStream_t stream) {
        cudaError_t status = cudaSuccess;
        for (int i = 0; i < kLaunches && status == cudaSuccess; ++i) {
            status = launch(stream);
        }
        return status;
    });
    const double replay_us = sample(graph, 3, 1).back() * kLaunches;
    const int replays = std::max(1, static_cast<int>(std::ceil(kSampleUs / replay_us)));
    auto times = sample(graph, samples, replays);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

double copy_bytes_per_us(int samples) {
    constexpr std::size_t kBytes = 192U << 20U;
    const test::DeviceVector<std::uint8_t> from{std::vector<std::uint8_t>(kBytes)};
    const test::DeviceVector<std::uint8_t> to{std::vector<std::uint8_t>(kBytes)};
    const Launch copy = [&](cudaStream_t s) {
        return cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, s);
    };
    return 2.0 * static_cast<double>(kBytes) / median_us(copy, samples);
}

void warm_up(const Launch& launch, double milliseconds) {
    const auto start = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> wanted(milliseconds);
    while (std::chrono::steady_clock::now() - start < wanted) {
        for (int i = 0; i < 100; ++i) {
            require_cuda(launch(nullptr), "launch a warm-up kernel");
        }
        require_cuda(cudaDeviceSynchronize(), "wait for the warm-up");
    }
}

} // namespace kvprof::bench
