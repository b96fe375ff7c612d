#pragma once

#include "capture/activity/scope.h"
#include "capture/recorder.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string_view>

namespace kvprof::host {

/// Records what a host step runs: one record a command, on the host's clock, each a launch of its
/// own. The host has no graph, so commands that a device would capture carry their placement in
/// their tag alone.
class HostRecorder final : public Recorder {
  public:
    using Clock = std::chrono::steady_clock;

    /// `name` is static text.
    void command(
        const activity::Scope& scope,
        ActivityKind kind,
        std::string_view name,
        Clock::time_point start,
        Clock::time_point end
    );

    void start() override;
    [[nodiscard]] activity::Recording stop() override;

  private:
    [[nodiscard]] std::uint32_t shape_of(ActivityKind kind, std::string_view name);

    activity::Recording recording_;
    std::map<std::string_view, std::uint32_t> shapes_;
};

} // namespace kvprof::host
