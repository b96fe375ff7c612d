#pragma once

#include "capture/import/interned.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

namespace kvprof::import {

/// What a record of a profile stands for. Whatever else a file holds is no work.
enum class EventKind : std::uint8_t {
    kernel,
    memory_copy,
    memory_set,
    graph_replay, ///< a whole replay as one row (nsys at graph level): its kernels are unknown
    api,          ///< a call of the runtime or the driver, by its canonical name
    cpu_op,       ///< an operator of the framework
    annotation    ///< a range that a program named: may be a step
};

/// Blocks of a launch and threads of a block; all 0 where the file does not say.
struct LaunchShape {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};

    [[nodiscard]] std::uint64_t hash() const {
        std::uint64_t hash = 0;
        for (const auto* size : {&grid, &block}) {
            for (const std::uint32_t side : *size) {
                hash = mixed(hash ^ side);
            }
        }
        return hash;
    }

    friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

/// One record, read. Times are integers: no record goes through a double. Texts are ids of `Names`.
struct TraceEvent {
    EventKind kind{};
    std::uint32_t name = 0;
    std::uint32_t process = 0; ///< key of the process (its whole pid text)
    std::uint32_t thread = 0;  ///< of api, cpu_op, annotation
    std::uint32_t device = 0;  ///< of GPU work
    std::uint32_t stream = 0;  ///< of GPU work
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0; ///< not negative, at most 7 days
    bool has_time = true;         ///< false: start = duration = 0 of a record without timestamp
    std::optional<std::uint64_t> correlation;
    std::uint64_t graph_node = 0; ///< 0: outside graphs, or nobody says
    std::int64_t bytes = 0;       ///< of a copy or fill
    LaunchShape shape;            ///< of a kernel
};

} // namespace kvprof::import
