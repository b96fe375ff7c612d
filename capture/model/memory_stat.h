#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/units.h"

#include <cstdint>
#include <string>

namespace kvprof {

/// Where a memory figure comes from; figures of two sources are never compared.
enum class MemorySource : std::uint8_t {
    ledger,              ///< bytes that kvprof itself asked for
    model,               ///< bytes by the formula for the attention backend (docs/metrics.md)
    device_free,         ///< what the device's free memory lost since the first mark
    device_free_peak,    ///< the most that it lost at any moment between two marks (sampled)
    device_used_nvml,    ///< used memory of the device, as NVML says
    process_used_nvml,   ///< of this process, as NVML says
    graph_used,          ///< bytes tied to graphs through allocation nodes
    graph_used_high,     ///< their high-water mark
    graph_reserved,      ///< physical memory held for them
    graph_reserved_high, ///< its high-water mark
    pool_used,           ///< of the device's default stream-ordered pool
    pool_reserved,
    host_resident ///< resident memory of this process
};

template<>
struct EnumNames<MemorySource> {
    static constexpr std::array values{
        std::pair{MemorySource::ledger, "ledger"},
        std::pair{MemorySource::model, "model"},
        std::pair{MemorySource::device_free, "device-free"},
        std::pair{MemorySource::device_free_peak, "device-free-peak"},
        std::pair{MemorySource::device_used_nvml, "device-used-nvml"},
        std::pair{MemorySource::process_used_nvml, "process-used-nvml"},
        std::pair{MemorySource::graph_used, "graph-used"},
        std::pair{MemorySource::graph_used_high, "graph-used-high"},
        std::pair{MemorySource::graph_reserved, "graph-reserved"},
        std::pair{MemorySource::graph_reserved_high, "graph-reserved-high"},
        std::pair{MemorySource::pool_used, "pool-used"},
        std::pair{MemorySource::pool_reserved, "pool-reserved"},
        std::pair{MemorySource::host_resident, "host-resident"}};
};

/// Bytes of one named buffer (ledger), of one term of the backend's formula (model: group "always"
/// or "added"), or by which the used memory of the device grew from before to after a step's
/// set-up (device_free; below zero when others gave memory back).
struct MemoryStat {
    std::string name;
    MemorySource source{};
    std::string group; ///< "graph", "tables", "inputs", "pool", "scratch", "model" or "device"
    Bytes bytes;

    friend bool operator==(const MemoryStat&, const MemoryStat&) = default;
};

/// Moments in the life of a graph at which the memory pass reads every source, each after the
/// device is idle and its pools are trimmed.
enum class MemoryMark : std::uint8_t {
    warmed,  ///< modules loaded, nothing of the step allocated
    buffers, ///< the step's buffers allocated
    captured,
    instantiated,
    uploaded,
    first_replay,
    replayed,  ///< after 100 replays
    destroyed, ///< executable destroyed, pools not trimmed yet
    trimmed
};

template<>
struct EnumNames<MemoryMark> {
    static constexpr std::array values{
        std::pair{MemoryMark::warmed, "warmed"},
        std::pair{MemoryMark::buffers, "buffers"},
        std::pair{MemoryMark::captured, "captured"},
        std::pair{MemoryMark::instantiated, "instantiated"},
        std::pair{MemoryMark::uploaded, "uploaded"},
        std::pair{MemoryMark::first_replay, "first-replay"},
        std::pair{MemoryMark::replayed, "replayed"},
        std::pair{MemoryMark::destroyed, "destroyed"},
        std::pair{MemoryMark::trimmed, "trimmed"}};
};

/// One source at one mark. device_free counts from `warmed` (0 there); the others are absolute.
struct MarkReading {
    MemoryMark mark{};
    MemorySource source{};
    Bytes bytes;

    friend bool operator==(const MarkReading&, const MarkReading&) = default;
};

/// Device memory taken when `executables` copies of the graph's executable are held at once.
struct ExecutablePoint {
    std::int64_t executables = 0;
    std::int64_t kernel_nodes = 0; ///< of each
    Bytes taken;                   ///< since none was held

    friend bool operator==(const ExecutablePoint&, const ExecutablePoint&) = default;
};

} // namespace kvprof
