#pragma once

#include "capture/host_facts.h"
#include "capture/probe.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

/// One line of `kvprof doctor`.
struct DoctorRow {
    std::string name;
    bool is_fine = true;
    std::string text;
    std::string cost;   ///< what can not be had without it; empty when it is fine
    std::string remedy; ///< what to do

    friend bool operator==(const DoctorRow&, const DoctorRow&) = default;
};

/// The place of the store, as found.
struct StoreFacts {
    std::string path;
    std::string problem; ///< empty when runs can be stored
    std::int64_t free_bytes = 0;
};

/// What the machine and the build offer. Pure.
[[nodiscard]] std::vector<DoctorRow> doctor_rows(
    const MachineProbe& probe,
    const HostFacts& host,
    const StoreFacts& store,
    std::string_view cuda_architectures
);

[[nodiscard]] std::string doctor_text(const std::vector<DoctorRow>& rows);
/// kvprof.doctor/1
[[nodiscard]] std::string doctor_json(const std::vector<DoctorRow>& rows);

} // namespace kvprof::cli
