#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

namespace kvprof::cuda {

class Stream {
  public:
    Stream();

    [[nodiscard]] cudaStream_t get() const { return stream_.get(); }

    /// @throws UnavailableError with the error that an earlier launch left.
    void synchronize() const;

  private:
    struct Destroy {
        void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
    };

    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// A graph as captured: nodes on the host, nothing on the device yet.
class CapturedGraph {
  public:
    /// Captures what `record` launches on the stream; the capture ends also when it throws.
    CapturedGraph(const Stream& stream, const std::function<void()>& record);

    [[nodiscard]] cudaGraph_t get() const { return graph_.get(); }

    [[nodiscard]] std::int64_t kernel_nodes() const { return kernel_nodes_; }

  private:
    struct Destroy {
        void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
    };

    std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> graph_;
    std::int64_t kernel_nodes_ = 0;
};

/// One instantiation of a graph, which need not outlive it. Destroying it frees the executable.
class GraphExecutable {
  public:
    explicit GraphExecutable(const CapturedGraph& graph);

    /// Asynchronous: what a first launch would set up on the device, now.
    void upload(const Stream& stream) const;
    void launch(const Stream& stream) const;

  private:
    struct Destroy {
        void operator()(cudaGraphExec_t exec) const noexcept { cudaGraphExecDestroy(exec); }
    };

    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> exec_;
};

/// A captured graph, instantiated and uploaded.
class Graph {
  public:
    /// Captures what `record` launches on the stream; the capture ends also when it throws.
    Graph(const Stream& stream, const std::function<void()>& record);

    void launch(const Stream& stream) const { executable_.launch(stream); }

    [[nodiscard]] std::int64_t kernel_nodes() const { return captured_.kernel_nodes(); }

  private:
    CapturedGraph captured_;
    GraphExecutable executable_;
};

} // namespace kvprof::cuda
