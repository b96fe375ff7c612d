#pragma once

#include "capture/libraries.h"
#include "capture/model/device_state.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof {

struct NvmlFunctions;

/// A process that computes on a device, as the driver sees it.
struct GpuProcess {
    std::int64_t pid = 0;
    std::optional<std::int64_t> bytes; ///< absent: the driver does not tell

    friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

/// Settings of a device that hold while a run measures; what NVML does not tell is absent.
struct DeviceFacts {
    std::optional<std::string> mig;         ///< "off", "on", or the profile of the slice: "1g.18gb"
    std::optional<std::string> ecc;         ///< "on", "off"
    std::optional<std::string> clock_state; ///< "unlocked", "application clocks 1410 MHz"
    std::optional<std::string> virtualization;       ///< "none", "passthrough", "vgpu", ...
    std::optional<std::string> confidential_compute; ///< "off", "on", "devtools"
    std::optional<std::int64_t> power_limit_mw;      ///< enforced
    std::optional<std::int64_t> sm_clock_max_mhz;
    std::optional<std::int64_t> memory_clock_max_mhz;

    friend bool operator==(const DeviceFacts&, const DeviceFacts&) = default;
};

struct Gpu {
    std::int64_t index = 0; ///< NVML's order, which CUDA_VISIBLE_DEVICES does not change
    std::string name;
    std::string uuid; ///< "GPU-..."
    std::int64_t total_bytes = 0;
    std::int64_t free_bytes = 0;
    std::optional<std::vector<GpuProcess>> processes; ///< absent: the driver does not list them
    DeviceState state;                                ///< now
    DeviceFacts facts;
};

/// The driver's management library, opened at run time: knows the devices without creating a CUDA
/// context on any. Members may be called from several threads.
class Nvml {
  public:
    /// @throws UnavailableError when the library is absent, too old, or finds no driver.
    explicit Nvml(const Libraries& libraries = system_libraries());
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml();

    [[nodiscard]] std::string driver_version() const;
    [[nodiscard]] std::int64_t device_count() const;
    [[nodiscard]] std::vector<Gpu> devices() const;

    // Of one device, found by its identity: "GPU-..." or "MIG-...". CUDA does not say which of the
    // two its number is, so a "GPU-..." that NVML does not know is looked for among the slices.
    // None of these throws: a driver that does not answer leaves values out.

    [[nodiscard]] bool knows(std::string_view uuid) const;
    /// A reading stamped with `when`. Of a slice, memory is its own and the rest is the board's.
    [[nodiscard]] DeviceState read_state(std::string_view uuid, std::string_view when) const;
    [[nodiscard]] DeviceFacts facts_of(std::string_view uuid) const;
    /// This process among them, where the driver numbers it as this process does.
    [[nodiscard]] std::vector<GpuProcess> processes_of(std::string_view uuid) const;

  private:
    struct Found;

    [[nodiscard]] std::optional<Found> find(std::string_view uuid) const;

    std::unique_ptr<NvmlFunctions> nvml_;
};

/// The profile in the name of a slice: "1g.18gb" of "NVIDIA H200 MIG 1g.18gb".
[[nodiscard]] std::string slice_profile_in(std::string_view device_name);

} // namespace kvprof
