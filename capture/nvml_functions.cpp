#include "capture/nvml_functions.h"

#include "capture/model/error.h"
#include "capture/nvml_api.h"

#include <fmt/format.h>

#include <initializer_list>

namespace kvprof {

namespace {

/// Loads the functions of one library by name.
struct Loader {
    const Libraries& libraries;
    void* library;

    /// The first of the names, newest first, that the library has.
    template<typename F>
    void may(F& function, std::initializer_list<const char*> symbols) const {
        for (const char* symbol : symbols) {
            if (function == nullptr) {
                function = reinterpret_cast<F>(libraries.symbol(library, symbol));
            }
        }
    }

    template<typename F>
    void must(F& function, std::initializer_list<const char*> symbols) const {
        may(function, symbols);
        if (function == nullptr) {
            throw UnavailableError(
                fmt::format("could not load NVML: it has no {}", *symbols.begin())
            );
        }
    }
};

} // namespace

NvmlFunctions::NvmlFunctions(const Libraries& libraries) {
    const Loader load{libraries, libraries.open("libnvidia-ml.so.1")};
    if (load.library == nullptr) {
        throw UnavailableError(
            "could not load NVML: " + libraries.why(), "it comes with the NVIDIA driver"
        );
    }
    load.must(init, {"nvmlInit_v2"});
    load.must(shutdown, {"nvmlShutdown"});
    load.must(error_string, {"nvmlErrorString"});
    load.must(driver_version, {"nvmlSystemGetDriverVersion"});
    load.must(count, {"nvmlDeviceGetCount_v2"});
    load.must(handle, {"nvmlDeviceGetHandleByIndex_v2"});
    load.must(name, {"nvmlDeviceGetName"});
    load.must(uuid, {"nvmlDeviceGetUUID"});
    load.must(memory, {"nvmlDeviceGetMemoryInfo"});
    // Both fill the same struct; the first version, which does not, is no longer asked for.
    load.may(
        processes,
        {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}
    );
    load.may(handle_by_uuid, {"nvmlDeviceGetHandleByUUID"});
    load.may(board_of_slice, {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
    load.may(memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
    load.may(clock, {"nvmlDeviceGetClockInfo"});
    load.may(max_clock, {"nvmlDeviceGetMaxClockInfo"});
    load.may(application_clock, {"nvmlDeviceGetApplicationsClock"});
    load.may(default_application_clock, {"nvmlDeviceGetDefaultApplicationsClock"});
    load.may(
        event_reasons,
        {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}
    );
    load.may(temperature, {"nvmlDeviceGetTemperature"});
    load.may(power, {"nvmlDeviceGetPowerUsage"});
    load.may(power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
    load.may(ecc, {"nvmlDeviceGetEccMode"});
    load.may(mig, {"nvmlDeviceGetMigMode"});
    load.may(utilization, {"nvmlDeviceGetUtilizationRates"});
    load.may(virtualization, {"nvmlDeviceGetVirtualizationMode"});
    load.may(confidential, {"nvmlSystemGetConfComputeState"});
}

void NvmlFunctions::check(Status status, const char* action) const {
    if (status != nvml::kSuccess) {
        throw UnavailableError(fmt::format("could not {}: {}", action, error_string(status)));
    }
}

std::optional<std::vector<GpuProcess>> NvmlFunctions::processes_of(Device device) const {
    if (processes == nullptr) {
        return std::nullopt;
    }
    std::vector<nvml::ProcessInfo> infos(64);
    auto filled = static_cast<unsigned int>(infos.size());
    Status status = processes(device, &filled, infos.data());
    while (status == nvml::kInsufficientSize) {
        infos.resize(infos.size() * 2);
        filled = static_cast<unsigned int>(infos.size());
        status = processes(device, &filled, infos.data());
    }
    if (status != nvml::kSuccess) {
        return std::nullopt;
    }
    infos.resize(filled);
    std::vector<GpuProcess> found;
    for (const nvml::ProcessInfo& info : infos) {
        GpuProcess& process = found.emplace_back();
        process.pid = info.pid;
        if (info.used_gpu_memory != nvml::kMemoryNotAvailable) {
            process.bytes = static_cast<std::int64_t>(info.used_gpu_memory);
        }
    }
    return found;
}

} // namespace kvprof
