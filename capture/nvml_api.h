#pragma once

#include "capture/libraries.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kvprof {

/// A process that computes on a device, as the driver sees it.
struct GpuProcess {
    std::int64_t pid = 0;
    std::int64_t bytes = 0; ///< 0 when the driver does not tell

    friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

struct Gpu {
    std::int64_t index = 0; ///< NVML's order, which CUDA_VISIBLE_DEVICES does not change
    std::string name;
    std::string uuid; ///< "GPU-..."
    std::int64_t total_bytes = 0;
    std::int64_t free_bytes = 0;
    std::vector<GpuProcess> processes;
};

/// The driver's management library, opened at run time: knows the devices without creating a CUDA
/// context on any. One object at a time a thread.
class Nvml {
  public:
    /// @throws UnavailableError when the library is absent, too old, or finds no driver.
    explicit Nvml(const Libraries& libraries = system_libraries());
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml();

    [[nodiscard]] std::string driver_version() const;
    [[nodiscard]] std::int64_t device_count() const;
    [[nodiscard]] std::vector<Gpu> devices() const;

  private:
    struct Functions;
    std::unique_ptr<Functions> nvml_;
};

} // namespace kvprof
