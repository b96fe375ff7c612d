#pragma once

#include "capture/executor.h"

#include <memory>

namespace kvprof {

/// What `automatic` means here: cuda when this build has CUDA and the machine has a GPU, else host.
/// Loads no driver.
[[nodiscard]] ExecutorKind resolve(ExecutorKind kind);

/// @throws UnavailableError when the executor does not exist here (no GPU, built without CUDA).
[[nodiscard]] std::unique_ptr<Executor> make_executor(const MeasureSpec& how);

} // namespace kvprof
