#pragma once

#include "capture/libraries.h"
#include "capture/nvml_api.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof {

/// A library or program that this machine has or lacks.
struct Finding {
    bool found = false;
    std::string text; ///< version and place, or "not found: <why>"

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// "13.0" from 13000, as the driver and the runtime number their versions.
[[nodiscard]] std::string cuda_version(int version);

/// What the machine offers for measuring. Reading it creates no CUDA context.
struct MachineProbe {
    Finding driver;
    Finding nvml;
    Finding cupti;
    Finding nvcc;
    std::optional<int> driver_version; ///< highest CUDA that the driver runs: 13000 is 13.0
    std::uint32_t cupti_version = 0;   ///< cuptiGetVersion; 0 without CUPTI
    std::optional<bool> is_admin_only; ///< the driver keeps hardware counters for administrators
    std::vector<Gpu> gpus;
};

[[nodiscard]] MachineProbe probe_machine(const Libraries& libraries = system_libraries());

/// 0 without a driver or a device, and where CUDA_VISIBLE_DEVICES hides them all.
[[nodiscard]] std::int64_t gpu_count(const Libraries& libraries = system_libraries());

/// Highest CUDA version that the driver runs. Asks before cuInit, so a broken device still answers.
[[nodiscard]] Finding find_driver(const Libraries& libraries = system_libraries());

/// CUPTI 13 as find_cupti_library finds it; one of another version is named and does not count.
[[nodiscard]] Finding find_cupti(const Libraries& libraries = system_libraries());

} // namespace kvprof
