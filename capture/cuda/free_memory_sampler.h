#pragma once

#include "capture/model/units.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <thread>

namespace kvprof::cuda {

/// Reads the device's free memory about every millisecond on a thread of its own, for peaks that
/// are gone at the next mark. A shorter one may be missed.
class FreeMemorySampler {
  public:
    explicit FreeMemorySampler(int device);

    /// The least that was free; absent when no reading succeeded. Ends the sampling.
    [[nodiscard]] std::optional<Bytes> stop();

  private:
    void sample(const std::stop_token& stop, int device);

    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

    std::int64_t least_ = kNone; ///< the thread's until it is joined
    std::jthread thread_;        ///< last: it starts when the rest is there and ends first
};

} // namespace kvprof::cuda
