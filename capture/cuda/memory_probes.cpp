#include "capture/cuda/memory_probes.h"

#include "capture/cuda/device_memory.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cuda {

namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

/// What stays free: enough for the driver to finish, and to report.
constexpr Bytes kKeptFree{256 * kMiB};

void require_free(std::int64_t held) {
    const Bytes free = device_room().free;
    if (free < kKeptFree) {
        throw UnavailableError(fmt::format(
            "could not hold executable {}: {} device memory free, {} are kept",
            held + 1,
            format_bytes(free),
            format_bytes(kKeptFree)
        ));
    }
}

/// 1, 2, 4, 8, then every 8th: the first show where slack ends, the rest carry the slope.
std::int64_t next_count(std::int64_t count) {
    constexpr std::int64_t kStep = 8;
    return count < kStep ? 2 * count : count + kStep;
}

} // namespace

Slack probe_slack() {
    constexpr Bytes kBlock{64 * kKiB};
    constexpr Bytes kMost{64 * kMiB};
    std::vector<DeviceBlock> blocks;
    Bytes taken;
    try {
        const Bytes before = device_room().free;
        while (taken < kMost) {
            blocks.push_back(allocate("a block of the slack probe", kBlock));
            taken += kBlock;
            if (device_room().free < before) {
                return {.bytes = taken, .cut_short = {}};
            }
        }
    } catch (const UnavailableError& error) {
        return {
            .bytes = std::nullopt,
            .cut_short = fmt::format(
                "the slack of free memory is more than {} or unknown: {}",
                format_bytes(taken),
                error.what()
            )};
    }
    return {};
}

HeldExecutables
hold_executables(const CapturedGraph& graph, const Stream& stream, std::int64_t most) {
    HeldExecutables result;
    std::vector<GraphExecutable> held;
    held.reserve(static_cast<std::size_t>(most));
    const Bytes before = device_room().free;
    const auto count = [&] { return static_cast<std::int64_t>(held.size()); };
    try {
        for (std::int64_t wanted = 1; wanted <= most; wanted = next_count(wanted)) {
            while (count() < wanted) {
                require_free(count());
                held.emplace_back(graph);
                held.back().upload(stream);
            }
            stream.synchronize();
            result.points.push_back({wanted, graph.kernel_nodes(), before - device_room().free});
        }
    } catch (const UnavailableError& error) {
        result.cut_short = fmt::format(
            "memory of executables was read up to {} of {}: {}", count(), most, error.what()
        );
    }
    return result;
}

} // namespace kvprof::cuda
