#pragma once

#include "capture/model/op_kind.h"

#include <nvtx3/nvToolsExt.h>

#include <string_view>

namespace kvprof::cuda {

/// Names a stretch of host work for Nsight Systems; free when no tool listens.
class NvtxRange {
  public:
    /// `name` is a literal or an enumerator's name: it must be null-terminated.
    explicit NvtxRange(std::string_view name) { nvtxRangePushA(name.data()); }

    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;

    ~NvtxRange() { nvtxRangePop(); }
};

} // namespace kvprof::cuda
