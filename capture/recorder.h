#pragma once

#include "capture/activity/recording.h"
#include "capture/model/measure_spec.h"
#include "capture/model/pass.h"

namespace kvprof {

/// Observes what a process puts on a device. It must exist before the executor does: CUPTI is
/// opened before CUDA starts, once a process.
class Recorder {
  public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    virtual ~Recorder() = default;

    /// Forgets what was recorded so far (set-up, warm-up). The device must be idle.
    virtual void start() = 0;
    /// What happened since `start`. The device must be idle. Called once.
    /// @throws UnavailableError when the recording tool failed, with its reason and a remedy.
    [[nodiscard]] virtual activity::Recording stop() = 0;
};

} // namespace kvprof
