#include "capture/machine_facts.h"

#include "capture/build_id.h"
#include "capture/container.h"
#include "capture/git_revision.h"
#include "capture/host_facts.h"
#include "capture/model/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace kvprof {

namespace {

constexpr std::array<std::string_view, 13> kRelevant{
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "CUDA_MODULE_LOADING",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_CACHE_DISABLE",
    "CUDA_INJECTION64_PATH",
    "NVTX_INJECTION64_PATH",
    "CUDA_MPS_PIPE_DIRECTORY",
    "NVIDIA_TF32_OVERRIDE",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH"};

std::string_view name_of(std::string_view variable) {
    return variable.substr(0, variable.find('='));
}

std::string text_of(const std::optional<std::string>& fact, std::string_view why) {
    return fact ? *fact : fmt::format("unavailable: {}", why);
}

} // namespace

std::string variables_in(const std::vector<std::string>& variables) {
    std::vector<std::string> found;
    for (const std::string_view name : kRelevant) {
        std::copy_if(
            variables.begin(),
            variables.end(),
            std::back_inserter(found),
            [&](const std::string& variable) { return name_of(variable) == name; }
        );
    }
    std::vector<std::string> own;
    std::copy_if(
        variables.begin(),
        variables.end(),
        std::back_inserter(own),
        [](const std::string& variable) {
            // Where runs are stored changes nothing in them.
            return variable.starts_with("KVPROF_") && name_of(variable) != "KVPROF_DB";
        }
    );
    std::sort(own.begin(), own.end());
    found.insert(found.end(), own.begin(), own.end());
    return fmt::format("{}", fmt::join(found, " "));
}

std::vector<std::string> process_variables() {
    std::vector<std::string> variables;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        variables.emplace_back(*variable);
    }
    return variables;
}

void add_device_facts(Environment& environment, const DeviceFacts& facts, std::string_view why) {
    environment.mig = text_of(facts.mig, why);
    environment.ecc = text_of(facts.ecc, why);
    environment.clock_state = text_of(facts.clock_state, why);
    environment.virtualization = text_of(facts.virtualization, why);
    environment.confidential_compute = text_of(facts.confidential_compute, why);
    environment.power_limit_mw = facts.power_limit_mw.value_or(0);
    environment.sm_clock_max_mhz = facts.sm_clock_max_mhz.value_or(0);
    environment.memory_clock_max_mhz = facts.memory_clock_max_mhz.value_or(0);
}

void add_machine_facts(
    Environment& environment, std::string_view device_uuid, const Libraries& libraries
) {
    // The folder is the one that the run was started in: asking once a process is enough.
    static const std::string revision = git_revision();
    environment.git_revision = revision;
    environment.container = container_in(container_traces());
    environment.variables = variables_in(process_variables());
    environment.binary = build_id();
    environment.boot = boot_id();
    environment.method = kMethod;
    if (device_uuid.empty()) {
        return;
    }
    try {
        const Nvml nvml(libraries);
        add_device_facts(
            environment,
            nvml.facts_of(device_uuid),
            nvml.knows(device_uuid) ? "NVML does not tell" : "NVML does not know this device"
        );
    } catch (const UnavailableError& error) {
        add_device_facts(environment, {}, error.what());
    }
}

} // namespace kvprof
