#pragma once

#include "capture/model/device_state.h"
#include "capture/model/environment.h"

#include <vector>

namespace kvprof {

/// What was seen of a device from before to after a run measured.
struct WatchedDevice {
    std::vector<DeviceState> states; ///< in time order
    std::vector<ForeignProcess> foreign;
    /// Other processes would have been listed; otherwise only used memory tells of them.
    bool lists_processes = true;

    friend bool operator==(const WatchedDevice&, const WatchedDevice&) = default;
};

/// The circumstances that bear on the run's figures: slow-downs and power caps in any reading
/// "during"; other processes that came, went or changed their memory by more than 32 MiB; and,
/// where processes are not listed, used memory that moved by as much between readings "during",
/// which is another's when this process allocates nothing meanwhile.
[[nodiscard]] std::vector<Condition> conditions_of(const WatchedDevice& watched);

} // namespace kvprof
