#pragma once

#include "capture/model/field.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof {

/// Another process that held memory on the device while a run measured.
struct ForeignProcess {
    std::string when; ///< "before" or "after"
    std::int64_t pid = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const ForeignProcess&, const ForeignProcess&) = default;
};

/// What a run was measured on. Text facts that could not be had read "unavailable: <why>".
struct Environment {
    std::string executor;
    std::string device_name;
    std::string device_uuid;
    std::string compute_capability;
    std::int64_t sm_count = 0;
    std::int64_t device_memory_bytes = 0;
    std::int64_t device_free_bytes = 0;
    std::string driver;
    std::string cuda_runtime;
    std::string cupti;
    std::string nvml;
    std::string cpu_model;
    std::int64_t cpu_count = 0;
    std::string hostname;
    std::string os;
    std::string build; ///< version, git description and build type of this program
    std::vector<ForeignProcess> foreign;

    friend bool operator==(const Environment&, const Environment&) = default;
};

template<SpecOf<Environment> Env, typename Visit>
void visit_fields(Env& env, Visit&& visit) {
    const auto info = [](const char* n, const char* d) { return FieldInfo{n, "Environment", d}; };
    visit(info("executor", "where the step ran"), env.executor);
    visit(info("device-name", "device, or the processor under the host executor"), env.device_name);
    visit(info("device-uuid", "identity of the device"), env.device_uuid);
    visit(info("compute-capability", "of the device"), env.compute_capability);
    visit(info("sm-count", "multiprocessors"), env.sm_count);
    visit(info("device-memory-bytes", "total device memory"), env.device_memory_bytes);
    visit(
        info("device-free-bytes", "free device memory when the run started"), env.device_free_bytes
    );
    visit(info("driver", "driver version"), env.driver);
    visit(info("cuda-runtime", "runtime that this program was built with"), env.cuda_runtime);
    visit(info("cupti", "CUPTI library found"), env.cupti);
    visit(info("nvml", "NVML library found"), env.nvml);
    visit(info("cpu-model", "processor"), env.cpu_model);
    visit(info("cpu-count", "logical processors"), env.cpu_count);
    visit(info("hostname", "machine"), env.hostname);
    visit(info("os", "kernel name and release"), env.os);
    visit(info("build", "version and build of kvprof"), env.build);
}

} // namespace kvprof
