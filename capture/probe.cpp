#include "capture/probe.h"

#include "capture/model/error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace kvprof {

std::string cuda_version(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

namespace {

/// Toolkit folders, the one that the environment names first.
std::vector<std::string> toolkit_folders() {
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') {
            folders.emplace_back(folder);
        }
    }
    folders.insert(folders.end(), {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12"});
    return folders;
}

std::vector<std::string> cupti_candidates() {
    std::vector<std::string> files{"libcupti.so.13", "libcupti.so.12"};
    for (const std::string& folder : toolkit_folders()) {
        for (const char* place : {"extras/CUPTI/lib64", "targets/x86_64-linux/lib", "lib64"}) {
            for (const char* name : {"libcupti.so.13", "libcupti.so.12"}) {
                files.push_back(fmt::format("{}/{}/{}", folder, place, name));
            }
        }
    }
    return files;
}

std::optional<std::string> program_in_path(const char* name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string file = fmt::format("{}/{}", rest.substr(0, colon), name);
        if (access(file.c_str(), X_OK) == 0) {
            return file;
        }
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return std::nullopt;
}

Finding find_nvcc() {
    if (const auto file = program_in_path("nvcc")) {
        return {true, *file};
    }
    for (const std::string& folder : toolkit_folders()) {
        const std::string file = folder + "/bin/nvcc";
        if (access(file.c_str(), X_OK) == 0) {
            return {true, file};
        }
    }
    return {false, "not found: neither in PATH nor in /usr/local/cuda/bin"};
}

/// Calls `int f(T*)` of a library that is open; empty when the symbol or the call fails.
template<typename T>
std::optional<T> ask(const Libraries& libraries, void* library, const char* symbol) {
    using Function = int (*)(T*);
    const auto function = reinterpret_cast<Function>(libraries.symbol(library, symbol));
    T value{};
    if (function == nullptr || function(&value) != 0) {
        return std::nullopt;
    }
    return value;
}

} // namespace

Finding find_driver(const Libraries& libraries) {
    void* library = libraries.open("libcuda.so.1");
    if (library == nullptr) {
        return {false, "not found: " + libraries.why()};
    }
    const auto version = ask<int>(libraries, library, "cuDriverGetVersion");
    if (!version) {
        return {false, "not found: libcuda.so.1 does not tell its version"};
    }
    return {true, fmt::format("runs CUDA up to {}", cuda_version(*version))};
}

Finding find_cupti(const Libraries& libraries) {
    std::string why;
    for (const std::string& file : cupti_candidates()) {
        void* library = libraries.open(file);
        if (library == nullptr) {
            // The first name is the one to act on; the folders that follow are guesses.
            why = why.empty() ? libraries.why() : why;
            continue;
        }
        if (const auto version = ask<std::uint32_t>(libraries, library, "cuptiGetVersion")) {
            return {true, fmt::format("version {} ({})", *version, file)};
        }
        why = fmt::format("{} does not tell its version", file);
    }
    return {false, "not found: " + why};
}

MachineProbe probe_machine(const Libraries& libraries) {
    MachineProbe probe{
        .driver = find_driver(libraries),
        .nvml = {},
        .cupti = find_cupti(libraries),
        .nvcc = find_nvcc(),
        .gpus = {}};
    try {
        const Nvml nvml(libraries);
        probe.nvml = {true, fmt::format("driver {}", nvml.driver_version())};
        probe.gpus = nvml.devices();
    } catch (const UnavailableError& error) {
        probe.nvml = {false, fmt::format("not found: {}", error.what())};
    }
    return probe;
}

std::int64_t gpu_count(const Libraries& libraries) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::string_view devices = visible == nullptr ? "all" : visible;
    if (devices.empty() || devices.starts_with("-1")) {
        return 0;
    }
    try {
        return Nvml(libraries).device_count();
    } catch (const UnavailableError&) {
        return 0;
    }
}

std::vector<ForeignProcess>
foreign_processes(std::string_view device_uuid, std::string_view when, const Libraries& libraries) {
    std::vector<ForeignProcess> foreign;
    try {
        for (const Gpu& gpu : Nvml(libraries).devices()) {
            for (const GpuProcess& process : gpu.processes) {
                if (gpu.uuid == device_uuid && process.pid != getpid()) {
                    foreign.push_back({std::string(when), process.pid, process.bytes});
                }
            }
        }
    } catch (const UnavailableError&) {
        return {};
    }
    return foreign;
}

} // namespace kvprof
