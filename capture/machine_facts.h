#pragma once

#include "capture/libraries.h"
#include "capture/model/environment.h"
#include "capture/nvml_api.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof {

/// Adds what is known of the process's surroundings: container, variables, git revision, build id
/// of the program, boot of the machine, and what NVML says of the device (MIG, ECC, clocks, power
/// limit, virtualization, confidential computing).
/// @param device_uuid "GPU-..."; empty where the host is the device, whose facts then stay empty
void add_machine_facts(
    Environment& environment,
    std::string_view device_uuid,
    const Libraries& libraries = system_libraries()
);

/// Fills in the device's facts; text that is absent reads "unavailable: <why>".
void add_device_facts(Environment& environment, const DeviceFacts& facts, std::string_view why);

/// "NAME=value NAME=value": those of the variables ("NAME=value" each) that change what a CUDA
/// program runs or how this program measures, in a fixed order. KVPROF_DB is none of them.
[[nodiscard]] std::string variables_in(const std::vector<std::string>& variables);

/// The variables of this process, "NAME=value" each.
[[nodiscard]] std::vector<std::string> process_variables();

} // namespace kvprof
