#pragma once

#include "capture/model/run.h"
#include "db/store.h"

#include <functional>
#include <vector>

namespace kvprof::cli {

/// The ceilings that the runs of an experiment carry. What a store has for a device and driver
/// holds; else they are measured once, in a process of their own.
class DeviceCeilings {
  public:
    explicit DeviceCeilings(const db::Store& store);

    /// Gives a complete run of a device those that are known. Whether there are any.
    bool give(Run& run) const;
    /// Measures the device of a complete run on CUDA that has none, unless that was tried before,
    /// and gives them to it; what prevents it becomes a note of the run. Whether the run changed.
    /// @param tick called some ten times a second
    bool measure_for(Run& run, const std::function<void()>& tick);

  private:
    std::vector<Ceilings> known_;
    bool has_tried_ = false;
};

} // namespace kvprof::cli
