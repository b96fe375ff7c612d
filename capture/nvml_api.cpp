#include "capture/nvml_api.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace kvprof {

namespace {

// The part of nvml.h that is used here; its ABI is frozen for these names.
using Status = int;
using Device = void*;
constexpr Status kSuccess = 0;
constexpr Status kInsufficientSize = 7;

struct MemoryInfo {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

struct ProcessInfo {
    unsigned int pid = 0;
    unsigned long long used_gpu_memory = 0;
    unsigned int gpu_instance = 0;
    unsigned int compute_instance = 0;
};

constexpr auto kMemoryNotAvailable = std::numeric_limits<unsigned long long>::max();

} // namespace

struct Nvml::Functions {
    Status (*init)() = nullptr;
    Status (*shutdown)() = nullptr;
    const char* (*error_string)(Status) = nullptr;
    Status (*driver_version)(char*, unsigned int) = nullptr;
    Status (*count)(unsigned int*) = nullptr;
    Status (*handle)(unsigned int, Device*) = nullptr;
    Status (*name)(Device, char*, unsigned int) = nullptr;
    Status (*uuid)(Device, char*, unsigned int) = nullptr;
    Status (*memory)(Device, MemoryInfo*) = nullptr;
    Status (*processes)(Device, unsigned int*, ProcessInfo*) = nullptr;

    explicit Functions(const Libraries& libraries);
    void check(Status status, const char* action) const;
    [[nodiscard]] std::vector<GpuProcess> processes_of(Device device) const;
};

Nvml::Functions::Functions(const Libraries& libraries) {
    void* library = libraries.open("libnvidia-ml.so.1");
    if (library == nullptr) {
        throw UnavailableError(
            "could not load NVML: " + libraries.why(), "it comes with the NVIDIA driver"
        );
    }
    const auto load = [&]<typename F>(F& function, const char* symbol) {
        function = reinterpret_cast<F>(libraries.symbol(library, symbol));
        if (function == nullptr) {
            throw UnavailableError(fmt::format("could not load NVML: it has no {}", symbol));
        }
    };
    load(init, "nvmlInit_v2");
    load(shutdown, "nvmlShutdown");
    load(error_string, "nvmlErrorString");
    load(driver_version, "nvmlSystemGetDriverVersion");
    load(count, "nvmlDeviceGetCount_v2");
    load(handle, "nvmlDeviceGetHandleByIndex_v2");
    load(name, "nvmlDeviceGetName");
    load(uuid, "nvmlDeviceGetUUID");
    load(memory, "nvmlDeviceGetMemoryInfo");
    load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
}

void Nvml::Functions::check(Status status, const char* action) const {
    if (status != kSuccess) {
        throw UnavailableError(fmt::format("could not {}: {}", action, error_string(status)));
    }
}

std::vector<GpuProcess> Nvml::Functions::processes_of(Device device) const {
    std::vector<ProcessInfo> infos(64);
    auto filled = static_cast<unsigned int>(infos.size());
    Status status = processes(device, &filled, infos.data());
    while (status == kInsufficientSize) {
        infos.resize(infos.size() * 2);
        filled = static_cast<unsigned int>(infos.size());
        status = processes(device, &filled, infos.data());
    }
    check(status, "list the processes of a GPU");
    infos.resize(filled);
    std::vector<GpuProcess> found;
    for (const ProcessInfo& info : infos) {
        const bool known = info.used_gpu_memory != kMemoryNotAvailable;
        found.push_back({info.pid, known ? static_cast<std::int64_t>(info.used_gpu_memory) : 0});
    }
    return found;
}

Nvml::Nvml(const Libraries& libraries)
    : nvml_(std::make_unique<Functions>(libraries)) {
    nvml_->check(nvml_->init(), "start NVML");
}

Nvml::~Nvml() {
    nvml_->shutdown();
}

std::string Nvml::driver_version() const {
    std::array<char, 96> text{};
    nvml_->check(nvml_->driver_version(text.data(), text.size()), "read the driver version");
    return text.data();
}

std::int64_t Nvml::device_count() const {
    unsigned int count = 0;
    nvml_->check(nvml_->count(&count), "count the GPUs");
    return count;
}

std::vector<Gpu> Nvml::devices() const {
    std::vector<Gpu> gpus;
    for (unsigned int i = 0; i < device_count(); ++i) {
        Device device = nullptr;
        std::array<char, 96> name{};
        std::array<char, 96> uuid{};
        MemoryInfo memory;
        nvml_->check(nvml_->handle(i, &device), "open a GPU in NVML");
        nvml_->check(nvml_->name(device, name.data(), name.size()), "read a GPU's name");
        nvml_->check(nvml_->uuid(device, uuid.data(), uuid.size()), "read a GPU's identity");
        nvml_->check(nvml_->memory(device, &memory), "read a GPU's memory");
        gpus.push_back(
            {.index = i,
             .name = name.data(),
             .uuid = uuid.data(),
             .total_bytes = static_cast<std::int64_t>(memory.total),
             .free_bytes = static_cast<std::int64_t>(memory.free),
             .processes = nvml_->processes_of(device)}
        );
    }
    return gpus;
}

} // namespace kvprof
