#pragma once

#include "capture/cupti_probe.h"
#include "capture/host_facts.h"
#include "capture/probe.h"
#include "cli/doctor_row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

/// The place of the store, as found.
struct StoreFacts {
    std::string path;
    std::string problem; ///< empty when runs can be stored
    std::int64_t free_bytes = 0;
};

/// What this program was built with.
struct BuildFacts {
    std::string_view architectures; ///< empty without CUDA
    int cuda_runtime = 0;           ///< 13000 is CUDA 13.0; 0 without CUDA
};

/// What stands around the process.
struct Surroundings {
    std::string container;    ///< as Environment::container
    std::string git_revision; ///< as Environment::git_revision
    std::string variables;    ///< as Environment::variables
};

struct DoctorFacts {
    BuildFacts build;
    MachineProbe machine;
    HostFacts host;
    Surroundings around;
    StoreFacts store;
    std::optional<CuptiProbe> session; ///< absent where there is no CUPTI to try
};

/// What the machine and the build offer. Pure.
[[nodiscard]] std::vector<DoctorRow> doctor_rows(const DoctorFacts& facts);

[[nodiscard]] std::string doctor_text(const std::vector<DoctorRow>& rows);
/// kvprof.doctor/1
[[nodiscard]] std::string doctor_json(const std::vector<DoctorRow>& rows);

} // namespace kvprof::cli
