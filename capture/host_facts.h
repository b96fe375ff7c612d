#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kvprof {

/// The machine that this process runs on. What can not be read is "unavailable: <why>" or 0.
struct HostFacts {
    std::string cpu_model;
    std::int64_t cpu_count = 0; ///< logical processors that this process may use
    std::string hostname;
    std::string os;                          ///< kernel name and release
    std::int64_t memory_available_bytes = 0; ///< what can be taken without swapping
};

[[nodiscard]] HostFacts host_facts();

/// First "model name" (or, on Arm, "CPU part") of /proc/cpuinfo.
[[nodiscard]] std::string cpu_model_in(std::string_view cpuinfo);

/// The kernel's random id of this boot: runs of one boot share it. "unavailable: <why>" where the
/// kernel tells none.
[[nodiscard]] std::string boot_id();

/// "MemAvailable" of /proc/meminfo in bytes; 0 when it is not there.
[[nodiscard]] std::int64_t memory_available_in(std::string_view meminfo);

} // namespace kvprof
