#pragma once

#include "capture/model/trace.h"

namespace kvprof::activity {

/// Whether a pass that counts must hear of calls of this kind.
[[nodiscard]] constexpr bool is_counted(ApiKind kind) {
    return kind != ApiKind::other;
}

} // namespace kvprof::activity
