#include "capture/cuda/ceilings.h"

#include "capture/ceilings.h"
#include "capture/cuda/cuda_check.h"
#include "capture/cuda/cuda_executor.h"
#include "capture/cuda/device_memory.h"
#include "capture/cuda/graph.h"
#include "capture/cuda/replay_clock.h"
#include "capture/model/error.h"
#include "kernels/cuda/ceilings.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace kvprof::cuda {

namespace {

/// Adds one node to the stream's capture.
using AddNode = std::function<void(cudaStream_t)>;

constexpr int kNodes = 64;
constexpr int kStretches = 15;
constexpr double kStretchNs = 2e6; ///< the launch at its start is below 1 % of it

/// The time of one stretch of replays, over their number.
double replay_ns(const Graph& graph, const Stream& stream, ReplayClock& clock, int replays) {
    clock.start(stream);
    for (int i = 0; i < replays; ++i) {
        graph.launch(stream);
    }
    clock.stop(stream);
    stream.synchronize();
    return static_cast<double>(clock.take().count()) / replays;
}

/// Nanoseconds of one of `nodes` equal nodes.
double node_ns(const Stream& stream, int nodes, const AddNode& add) {
    const Graph graph(stream, [&] {
        for (int i = 0; i < nodes; ++i) {
            add(stream.get());
        }
    });
    ReplayClock clock;
    const double first = replay_ns(graph, stream, clock, 3); // also sets up what a launch needs
    const int replays = std::clamp(static_cast<int>(kStretchNs / std::max(first, 1.0)), 1, 256);
    constexpr std::chrono::milliseconds kWarmUp{20};
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < kWarmUp) {
        static_cast<void>(replay_ns(graph, stream, clock, replays));
    }
    std::vector<double> times;
    for (int i = 0; i < kStretches; ++i) {
        times.push_back(replay_ns(graph, stream, clock, replays) / nodes);
    }
    return stats::median(times);
}

/// Bytes a second of the better of two ways to copy.
double copy_bandwidth(const Stream& stream, Bytes copied) {
    const DeviceBlock from = allocate("the source of a copy", copied);
    const DeviceBlock to = allocate("the target of a copy", copied);
    const auto bytes = static_cast<std::size_t>(copied.count);
    check(cudaMemsetAsync(from.get(), 1, bytes, stream.get()), "fill the source of a copy");
    constexpr std::int64_t kLarge = std::int64_t{64} << 20;
    const int nodes = copied.count >= kLarge ? 2 : kNodes;
    const double by_kernel = node_ns(stream, nodes, [&](cudaStream_t capture) {
        check(
            kernels::cuda::launch_copy(to.get(), from.get(), copied.count, capture),
            "launch a copy kernel"
        );
    });
    const double by_runtime = node_ns(stream, nodes, [&](cudaStream_t capture) {
        check(
            cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, capture),
            "launch a memory copy"
        );
    });
    return 2.0 * static_cast<double>(copied.count) / (std::min(by_kernel, by_runtime) * 1e-9);
}

Bytes l2_of(int device) {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "read the size of L2");
    return Bytes{bytes};
}

} // namespace

Ceilings measure_ceilings(int device) {
    int count = 0;
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found != cudaSuccess || device < 0 || device >= count) {
        throw UnavailableError(
            fmt::format(
                "could not measure what GPU {} reaches: {}",
                device,
                found == cudaSuccess ? fmt::format("this machine has {} CUDA devices", count)
                                     : fmt::format("no GPU: {}", cudaGetErrorString(found))
            ),
            "kvprof doctor says what this machine has"
        );
    }
    const CudaExecutor executor(device);
    const Environment environment = executor.environment();
    Ceilings ceilings;
    ceilings.device_uuid = environment.device_uuid;
    ceilings.driver = environment.driver;
    const Bytes free = device_room().free;
    ceilings.copies = copies_to_measure(free, l2_of(device));
    const auto is_of_memory = [](const CopyCeiling& copy) { return copy.kind == CeilingKind::hbm; };
    if (std::none_of(ceilings.copies.begin(), ceilings.copies.end(), is_of_memory)) {
        throw UnavailableError(
            fmt::format(
                "could not measure the bandwidth of device memory: {} are free", format_bytes(free)
            ),
            "end what else holds the device's memory"
        );
    }
    const Stream stream;
    for (CopyCeiling& copy : ceilings.copies) {
        copy.bytes_per_s = copy_bandwidth(stream, copy.copied);
    }
    ceilings.node_ns = node_ns(stream, kNodes, [](cudaStream_t capture) {
        check(kernels::cuda::launch_nothing(capture), "launch an empty kernel");
    });
    return ceilings;
}

} // namespace kvprof::cuda
