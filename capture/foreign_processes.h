#pragma once

#include "capture/model/environment.h"
#include "capture/nvml_api.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace kvprof {

/// The processes on a device as this process can judge them.
struct Company {
    std::vector<ForeignProcess> others; ///< 0 bytes where the driver does not tell
    /// This process stands in the driver's list, so the list is complete. Otherwise processes come
    /// and go unseen, and only the device's used memory tells of them.
    bool lists_self = false;
    std::optional<std::int64_t> own_bytes; ///< of this process, as far as the driver tells

    friend bool operator==(const Company&, const Company&) = default;
};

/// Whether a process id means something here.
using ProcessExists = std::function<bool(std::int64_t pid)>;

/// Leaves this process out of the driver's list and stamps the rest with `when`. In a container
/// some drivers number processes as the host does; when none of the ids means anything here, one
/// of them is this process, and the largest is taken for it.
/// @pre process `self` computes on the device
[[nodiscard]] Company company_in(
    std::vector<GpuProcess> listed,
    std::string_view when,
    std::int64_t self,
    const ProcessExists& exists
);

/// Who else computes on the device with this identity now. @pre this process has a context on it
[[nodiscard]] Company
company_on(const Nvml& nvml, std::string_view device_uuid, std::string_view when);

/// `company_on` with an NVML of its own; empty without one.
[[nodiscard]] std::vector<ForeignProcess> foreign_processes(
    std::string_view device_uuid,
    std::string_view when,
    const Libraries& libraries = system_libraries()
);

} // namespace kvprof
