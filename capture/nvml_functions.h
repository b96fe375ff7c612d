#pragma once

#include "capture/libraries.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kvprof {

struct GpuProcess;

// The part of nvml.h that is used here; its ABI is frozen for these names.
namespace nvml {

using Status = int;
using Device = void*;

constexpr Status kSuccess = 0;
constexpr Status kInsufficientSize = 7;
constexpr auto kMemoryNotAvailable = std::numeric_limits<unsigned long long>::max();

// nvmlClockType_t and nvmlTemperatureSensors_t
constexpr int kGraphicsClock = 0;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuSensor = 0;

struct MemoryInfo {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0; ///< with what the driver keeps for itself
};

struct MemoryInfoV2 {
    unsigned int version = 0x02000028; ///< size of this struct, and 2 in the highest byte
    unsigned long long total = 0;
    unsigned long long reserved = 0;
    unsigned long long free = 0;
    unsigned long long used = 0; ///< without `reserved`
};

static_assert(sizeof(MemoryInfoV2) == 0x28);

struct ProcessInfo {
    unsigned int pid = 0;
    unsigned long long used_gpu_memory = 0;
    unsigned int gpu_instance = 0;
    unsigned int compute_instance = 0;
};

struct Utilization {
    unsigned int gpu = 0; ///< percent of the last sampling period in which a kernel ran
    unsigned int memory = 0;
};

struct ConfidentialState {
    unsigned int environment = 0;
    unsigned int feature = 0;  ///< 1: on
    unsigned int devtools = 0; ///< 1: tools may look inside
};

} // namespace nvml

/// NVML's entry points. Those of the first group are in every driver of the last ten years; the
/// others may be null, and what they would tell is then not known.
struct NvmlFunctions {
    using Status = nvml::Status;
    using Device = nvml::Device;

    Status (*init)() = nullptr;
    Status (*shutdown)() = nullptr;
    const char* (*error_string)(Status) = nullptr;
    Status (*driver_version)(char*, unsigned int) = nullptr;
    Status (*count)(unsigned int*) = nullptr;
    Status (*handle)(unsigned int, Device*) = nullptr;
    Status (*name)(Device, char*, unsigned int) = nullptr;
    Status (*uuid)(Device, char*, unsigned int) = nullptr;
    Status (*memory)(Device, nvml::MemoryInfo*) = nullptr;

    Status (*processes)(Device, unsigned int*, nvml::ProcessInfo*) = nullptr;
    Status (*handle_by_uuid)(const char*, Device*) = nullptr;
    Status (*board_of_slice)(Device, Device*) = nullptr;
    Status (*memory_v2)(Device, nvml::MemoryInfoV2*) = nullptr;
    Status (*clock)(Device, int, unsigned int*) = nullptr;
    Status (*max_clock)(Device, int, unsigned int*) = nullptr;
    Status (*application_clock)(Device, int, unsigned int*) = nullptr;
    Status (*default_application_clock)(Device, int, unsigned int*) = nullptr;
    Status (*event_reasons)(Device, unsigned long long*) = nullptr;
    Status (*temperature)(Device, int, unsigned int*) = nullptr;
    Status (*power)(Device, unsigned int*) = nullptr;
    Status (*power_limit)(Device, unsigned int*) = nullptr;
    Status (*ecc)(Device, int*, int*) = nullptr;
    Status (*mig)(Device, unsigned int*, unsigned int*) = nullptr;
    Status (*utilization)(Device, nvml::Utilization*) = nullptr;
    Status (*virtualization)(Device, int*) = nullptr;
    Status (*confidential)(nvml::ConfidentialState*) = nullptr;

    /// @throws UnavailableError when the library or a function of the first group is missing.
    explicit NvmlFunctions(const Libraries& libraries);

    /// @throws UnavailableError "could not <action>: <NVML's reason>"
    void check(Status status, const char* action) const;
    /// Absent when the driver does not list them.
    [[nodiscard]] std::optional<std::vector<GpuProcess>> processes_of(Device device) const;

    /// Calls `function(arguments..., &value)`; empty when the driver lacks it or it fails.
    template<typename T, typename F, typename... Arguments>
    [[nodiscard]] static std::optional<T> ask(F* function, Arguments... arguments) {
        T value{};
        if (function == nullptr || function(arguments..., &value) != nvml::kSuccess) {
            return std::nullopt;
        }
        return value;
    }

    /// As `ask`, of a number of any width.
    template<typename T, typename F, typename... Arguments>
    [[nodiscard]] static std::optional<std::int64_t>
    ask_number(F* function, Arguments... arguments) {
        const auto value = ask<T>(function, arguments...);
        return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
    }
};

} // namespace kvprof
