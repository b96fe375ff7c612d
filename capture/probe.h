#pragma once

#include "capture/libraries.h"
#include "capture/model/environment.h"
#include "capture/nvml_api.h"

#include <cstdint>
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
    std::vector<Gpu> gpus;
};

[[nodiscard]] MachineProbe probe_machine(const Libraries& libraries = system_libraries());

/// 0 without a driver or a device, and where CUDA_VISIBLE_DEVICES hides them all.
[[nodiscard]] std::int64_t gpu_count(const Libraries& libraries = system_libraries());

/// Highest CUDA version that the driver runs. Asks before cuInit, so a broken device still answers.
[[nodiscard]] Finding find_driver(const Libraries& libraries = system_libraries());

/// CUPTI by its name, then in the usual toolkit folders.
[[nodiscard]] Finding find_cupti(const Libraries& libraries = system_libraries());

/// Processes other than this one that compute on the device with this uuid ("GPU-..."), stamped
/// with `when`. Empty when NVML is absent: `probe_machine().nvml` says why.
[[nodiscard]] std::vector<ForeignProcess> foreign_processes(
    std::string_view device_uuid,
    std::string_view when,
    const Libraries& libraries = system_libraries()
);

} // namespace kvprof
