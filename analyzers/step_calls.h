#pragma once

#include "capture/model/trace.h"

namespace kvprof::analyzers {

/// Whether a call belongs to the step: an op issued it, or it launched the graph.
[[nodiscard]] constexpr bool is_of_step(Role role) {
    return role == Role::op || role == Role::replay;
}

} // namespace kvprof::analyzers
