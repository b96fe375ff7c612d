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

/// A captured graph, instantiated and uploaded.
class Graph {
  public:
    /// Captures what `record` launches on the stream; the capture ends also when it throws.
    Graph(const Stream& stream, const std::function<void()>& record);

    void launch(const Stream& stream) const;

    [[nodiscard]] std::int64_t kernel_nodes() const { return kernel_nodes_; }

  private:
    struct Destroy {
        void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }

        void operator()(cudaGraphExec_t exec) const noexcept { cudaGraphExecDestroy(exec); }
    };

    std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> graph_;
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> exec_;
    std::int64_t kernel_nodes_ = 0;
};

} // namespace kvprof::cuda
