#pragma once

#include "capture/model/memory_stat.h"
#include "capture/nvml_api.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cuda {

/// What graphs hold on the device through allocation nodes. All 0 for graphs that only use buffers
/// made outside of them, which says nothing of what their executables take.
struct GraphMemory {
    Bytes used;
    Bytes used_high;
    Bytes reserved;
    Bytes reserved_high;
};

[[nodiscard]] GraphMemory graph_memory(int device);

/// Waits for the device; then the driver gives back what it holds unused for graphs and in the
/// device's default pool.
void settle(int device);

/// Reads every memory source at marks. NVML is opened on construction, so that the readings do not
/// see it come; where it is absent or does not tell of this process, its sources are left out.
class MarkReader {
  public:
    /// `device_uuid` as NVML writes it. Resets the high-water marks of graph memory.
    MarkReader(int device, std::string device_uuid);

    /// `ledger`: bytes of the step that are allocated now. Free memory counts from the first call.
    void read(MemoryMark mark, Bytes ledger);
    /// Adds the peak between the first mark and `mark`: from the least free memory that was
    /// sampled, and the readings since the first. @pre something was read
    void add_peak(MemoryMark mark, Bytes least_free);

    [[nodiscard]] const std::vector<MarkReading>& readings() const { return readings_; }

  private:
    void add(MemoryMark mark, MemorySource source, Bytes bytes);
    void read_nvml(MemoryMark mark);

    int device_;
    std::string device_uuid_;
    std::unique_ptr<Nvml> nvml_;
    std::optional<Bytes> free_at_first_;
    std::vector<MarkReading> readings_;
};

} // namespace kvprof::cuda
