#pragma once

#include "capture/model/op_kind.h"
#include "kernels/calls.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace kvprof::workload {

/// A copy inside one executor's memory.
struct CopyMemory {
    void* to = nullptr;
    const void* from = nullptr;
    std::int64_t bytes = 0;
};

/// What an executor does for one launch: a kernel, or a copy.
using Action = std::variant<kernels::KernelCall, CopyMemory>;

/// One launch of a step, with the op that it serves.
struct Command {
    OpKind op{};
    Stage stage{};
    Placement placement{};
    Action action;
};

using Commands = std::vector<Command>;

} // namespace kvprof::workload
