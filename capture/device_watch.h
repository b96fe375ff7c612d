#pragma once

#include "capture/foreign_processes.h"
#include "capture/libraries.h"
#include "capture/model/conditions.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace kvprof {

/// One look at a device.
struct DeviceReading {
    DeviceState state;
    Company company;
};

/// Takes a look, stamped with "before", "during" or "after". Called on one thread at a time; must
/// not throw. Empty when the device can not be read.
using ReadDevice = std::function<std::optional<DeviceReading>(std::string_view when)>;

/// Reads the device with this identity through NVML. Where NVML does not know it, every look is
/// empty. @pre this process has a context on the device
[[nodiscard]] ReadDevice
device_reader(std::string_view device_uuid, const Libraries& libraries = system_libraries());

/// Gathers readings in the order in which they come and keeps a bounded number of them.
class DeviceLog {
  public:
    /// @param most readings "during" that are kept, 2 or more. When there are more, every second
    /// one is left out from the start on; its event reasons go to the one before it, so that none
    /// is lost.
    explicit DeviceLog(std::size_t most = 200)
        : most_(most) {}

    void add(DeviceReading reading);

    /// "before", then those "during", then "after".
    [[nodiscard]] WatchedDevice watched() const;

  private:
    struct Other {
        std::int64_t pid = 0;
        std::optional<std::int64_t> before;
        std::int64_t during = 0; ///< the memory that differed most from before
    };

    void add_during(DeviceReading reading);
    void note_others(const std::vector<ForeignProcess>& others);
    void thin();

    std::size_t most_;
    std::size_t stride_ = 1; ///< readings "during" for each that is kept
    std::size_t seen_ = 0;   ///< readings "during"
    bool lists_self_ = false;
    std::optional<DeviceReading> before_;
    std::optional<DeviceReading> after_;
    std::vector<DeviceState> during_;
    std::vector<Other> others_; ///< seen before or during
};

/// Watches a device from its construction until `stop`: one look before, one every period on a
/// thread of its own, the first of them at once, and one after.
class DeviceWatch {
  public:
    explicit DeviceWatch(
        ReadDevice read, std::chrono::milliseconds period = std::chrono::milliseconds{100}
    );
    DeviceWatch(const DeviceWatch&) = delete;
    DeviceWatch& operator=(const DeviceWatch&) = delete;

    /// Ends the watch. Called once. Empty lists when the device could not be read.
    [[nodiscard]] WatchedDevice stop();

  private:
    void keep_looking(const std::stop_token& ended);
    /// Whether the device could be read.
    bool look(std::string_view when);

    ReadDevice read_;
    std::chrono::milliseconds period_;
    DeviceLog log_; ///< touched by the thread while it runs, else by the owner
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_; ///< last, so that it ends before what it uses
};

} // namespace kvprof
