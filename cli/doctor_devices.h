#pragma once

#include "capture/nvml_api.h"
#include "cli/doctor_row.h"

#include <vector>

namespace kvprof::cli {

/// What a device is, who computes on it, how fast it may run, and how it is set. Pure.
[[nodiscard]] std::vector<DoctorRow> device_rows(const Gpu& gpu);

} // namespace kvprof::cli
