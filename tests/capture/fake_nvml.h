#pragma once

#include "capture/libraries.h"
#include "capture/nvml_api.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kvprof::test {

/// What a fake driver with one GPU answers. A value that is absent is NOT_SUPPORTED; a symbol in
/// `missing` is none of the library's.
struct FakeNvml {
    bool starts = true;
    std::string uuid = "GPU-1";
    std::string name = "NVIDIA H200";
    std::optional<unsigned int> sm_clock = 1755;
    std::optional<unsigned int> memory_clock = 3201;
    std::optional<unsigned int> sm_clock_max = 1980;
    std::optional<unsigned int> memory_clock_max = 3202;
    std::optional<unsigned int> application_clock = 1980;
    std::optional<unsigned int> default_application_clock = 1980;
    std::optional<unsigned long long> event_reasons = 0x5;
    std::optional<unsigned int> temperature = 41;
    std::optional<unsigned int> power_mw = 125'000;
    std::optional<unsigned int> power_limit_mw = 700'000;
    std::optional<bool> has_ecc = true;
    std::optional<bool> has_mig = false;
    std::optional<unsigned int> utilization = 97;
    std::optional<int> virtualization = 1;
    std::optional<bool> is_confidential = false;
    bool has_devtools = false;
    unsigned long long used_with_reserved = 400; ///< of 1000 bytes
    unsigned long long used = 350;               ///< as the second version of the call says
    /// Absent: the call fails.
    std::optional<std::vector<GpuProcess>> processes = std::vector<GpuProcess>{{77, 300}};
    std::set<std::string> missing;
};

/// Libraries with this driver, CUDA 13.0 and CUPTI 13.0.1. One fake at a time; it must outlive
/// them.
[[nodiscard]] Libraries libraries_with(const FakeNvml& fake);

/// No library at all.
[[nodiscard]] Libraries no_libraries();

} // namespace kvprof::test
