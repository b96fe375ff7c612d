#pragma once

#include "capture/activity/scope.h"
#include "capture/workload/command.h"

#include <cstddef>
#include <cstdint>

namespace kvprof {

/// The tag under which an executor launches command `ordinal` of its list.
[[nodiscard]] inline activity::Tag
tag_of(const workload::Command& command, Role role, std::size_t ordinal) {
    return {role, command.op, command.stage, command.placement, static_cast<std::int32_t>(ordinal)};
}

} // namespace kvprof
