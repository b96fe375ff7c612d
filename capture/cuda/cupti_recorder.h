#pragma once

#include "capture/cuda/cupti_session.h"
#include "capture/recorder.h"

#include <cuda.h>

#include <functional>
#include <string>
#include <vector>

namespace kvprof::cuda {

/// A node of a graph that was captured.
struct SourceNode {
    CUgraphNode node = nullptr;
    bool does_work = true; ///< a kernel, copy or fill: the executable must have it
};

/// Lists the nodes of a graph; a test has no CUDA to ask.
using ReadGraph = std::function<std::vector<SourceNode>(CUgraph graph)>;

/// @throws UnavailableError
[[nodiscard]] std::vector<SourceNode> read_graph(CUgraph graph);

/// Records a pass through CUPTI.
class CuptiRecorder final : public Recorder {
  public:
    /// Before CUDA starts.
    /// @throws UnavailableError when CUPTI refuses, with its reason and a remedy.
    /// @throws UsageError for a pass that runs without CUPTI.
    CuptiRecorder(const CuptiApi& api, Pass pass, ReadGraph read = read_graph);

    void start() override;
    [[nodiscard]] activity::Recording stop() override;

  private:
    void check_device() const;
    /// Compares what the callbacks say of an executable's nodes with the ids that CUPTI gives for
    /// the source graph's: records carry (executable's id << 32) | index of the source node.
    void cross_check(activity::Recording& recording);
    void fail(activity::Recording& recording, CuptiCode code, std::int64_t lost) const;

    CuptiApi api_;
    ReadGraph read_;
    CuptiSession session_;
};

} // namespace kvprof::cuda
