#pragma once

#include "capture/activity/attribution.h"
#include "capture/model/trace.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::activity {

/// KernelStats by op, placement and shape, in the order of their first record. Copies and fills of
/// different sizes are one.
class KernelTable {
  public:
    explicit KernelTable(const std::vector<Shape>& shapes);

    /// Index of the kernel into take(); adds it when it is new.
    [[nodiscard]] std::uint32_t index_of(OpSlot op, std::uint32_t shape);
    void add(std::uint32_t kernel, std::chrono::nanoseconds duration);

    /// Whether every launch of it so far came with its blocks that have work.
    [[nodiscard]] bool wants_live_blocks(std::uint32_t kernel) const;
    /// Of a kernel that wants them; absent: no rule says.
    void add_live_blocks(std::uint32_t kernel, std::optional<std::int64_t> blocks);

    /// Everything added, with names demangled; the table is empty afterwards.
    [[nodiscard]] std::vector<KernelStat> take();

  private:
    const std::vector<Shape>& shapes_;
    std::vector<std::uint32_t> class_of_shape_; ///< shapes of a class differ in `bytes` alone
    std::vector<std::uint32_t> kernel_of_;      ///< by class * kOpSlots + op; kNoIndex: new
    std::vector<KernelStat> kernels_;
};

/// The C++ name of a mangled one; any other name as it is.
[[nodiscard]] std::string demangle(const std::string& name);

} // namespace kvprof::activity
