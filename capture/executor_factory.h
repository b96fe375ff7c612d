#pragma once

#include "capture/executor.h"
#include "capture/recorder.h"

#include <memory>

namespace kvprof {

/// What `automatic` means here: cuda when this build has CUDA and the machine has a GPU, else host.
/// Loads no driver.
[[nodiscard]] ExecutorKind resolve(ExecutorKind kind);

/// What a measuring process works with. The recorder outlives the executor.
struct Instruments {
    std::unique_ptr<Recorder> recorder; ///< null in passes that record nothing (timing, memory)
    std::unique_ptr<Executor> executor;
};

/// Opens the recorder of the pass, then the executor: CUPTI comes before CUDA starts.
/// @throws UnavailableError when the executor does not exist here (no GPU, built without CUDA) or
/// the pass can not be recorded, with the remedy.
[[nodiscard]] Instruments make_instruments(const MeasureSpec& how, Pass pass);

} // namespace kvprof
