#include "capture/probe.h"

#include "capture/cupti_library.h"
#include "capture/model/error.h"
#include "capture/program_path.h"

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

Finding finding_of(const CuptiLibrary& cupti) {
    if (cupti.handle == nullptr) {
        return {false, "not found: " + cupti.why};
    }
    const std::string version = cupti_version_text(cupti.version);
    if (cupti_major(cupti.version) != 13) {
        return {false, fmt::format("not usable: {} is {}, and 13 is needed", cupti.file, version)};
    }
    return {true, fmt::format("version {} ({})", version, cupti.file)};
}

Finding find_nvcc() {
    if (const auto file = find_program("nvcc")) {
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

} // namespace

Finding find_driver(const Libraries& libraries) {
    void* library = libraries.open("libcuda.so.1");
    if (library == nullptr) {
        return {false, "not found: " + libraries.why()};
    }
    const auto version = ask_library<int>(libraries, library, "cuDriverGetVersion");
    if (!version) {
        return {false, "not found: libcuda.so.1 does not tell its version"};
    }
    return {true, fmt::format("runs CUDA up to {}", cuda_version(*version))};
}

Finding find_cupti(const Libraries& libraries) {
    return finding_of(find_cupti_library(libraries));
}

MachineProbe probe_machine(const Libraries& libraries) {
    const CuptiLibrary cupti = find_cupti_library(libraries);
    const CuptiContext context = read_cupti_context(libraries);
    MachineProbe probe{
        .driver = find_driver(libraries),
        .nvml = {},
        .cupti = finding_of(cupti),
        .nvcc = find_nvcc(),
        .driver_version = context.driver_version,
        .cupti_version = cupti.version,
        .is_admin_only = context.is_admin_only,
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

} // namespace kvprof
