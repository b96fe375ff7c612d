#pragma once

#include "capture/model/field.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof {

/// Another process that held memory on the device while a run measured.
struct ForeignProcess {
    std::string when; ///< "before", "during" (the memory that differed most from before) or "after"
    std::int64_t pid = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const ForeignProcess&, const ForeignProcess&) = default;
};

/// What a stored time means: raised when warm-up, stop rule or a metric's definition changes. Times
/// of two methods are not compared. Runs that do not say theirs are of method 1.
inline constexpr std::string_view kMethod = "2";

/// What a run was measured on, and by which method. Text facts that could not be had read
/// "unavailable: <why>".
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
    std::string container; ///< "docker", "kubernetes", ...; "none"
    std::string mig;       ///< "off", or the profile of the slice
    std::string ecc;
    std::string clock_state; ///< "unlocked", or what holds the clocks
    std::string virtualization;
    std::string confidential_compute;
    std::int64_t power_limit_mw = 0;
    std::int64_t sm_clock_max_mhz = 0;
    std::int64_t memory_clock_max_mhz = 0;
    std::string git_revision; ///< of the folder that the run was started in; "+" when modified
    std::string variables;    ///< "CUDA_MODULE_LOADING=EAGER ...": those that change what runs
    std::string build;        ///< version, git description and build type of this program
    std::string binary;       ///< build id of the program that measured: equal code when equal
    std::string boot;         ///< id of the machine's boot
    std::string method;       ///< kMethod of the program that measured; empty: 1
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
    visit(info("container", "container runtime around this process"), env.container);
    visit(info("mig", "multi-instance GPU: off, or the slice's profile"), env.mig);
    visit(info("ecc", "error correction of device memory"), env.ecc);
    visit(info("clock-state", "unlocked, or what holds the clocks"), env.clock_state);
    visit(info("virtualization", "none, passthrough, vgpu"), env.virtualization);
    visit(info("confidential-compute", "off, on, devtools"), env.confidential_compute);
    visit(info("power-limit-mw", "enforced power limit; 0: unknown"), env.power_limit_mw);
    visit(info("sm-clock-max-mhz", "highest SM clock; 0: unknown"), env.sm_clock_max_mhz);
    visit(
        info("memory-clock-max-mhz", "highest memory clock; 0: unknown"), env.memory_clock_max_mhz
    );
    visit(
        info("git-revision", "commit of the folder that the run was started in"), env.git_revision
    );
    visit(info("variables", "environment variables that change what runs"), env.variables);
    visit(info("build", "version and build of kvprof"), env.build);
    visit(
        info("binary", "build id of the program that measured: equal code when equal"), env.binary
    );
    visit(info("boot", "id of the machine's boot"), env.boot);
    visit(info("method", "what a stored time means; empty: 1"), env.method);
}

} // namespace kvprof
