#include "capture/cuda/graph.h"

#include "capture/cuda/cuda_check.h"

#include <vector>

namespace kvprof::cuda {

Stream::Stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    stream_.reset(stream);
}

void Stream::synchronize() const {
    check(cudaStreamSynchronize(stream_.get()), "wait for the stream");
}

namespace {

std::int64_t count_kernel_nodes(cudaGraph_t graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count), "count the graph's nodes");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count), "list the graph's nodes");
    std::int64_t kernels = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        check(cudaGraphNodeGetType(node, &type), "read a node's type");
        kernels += type == cudaGraphNodeTypeKernel ? 1 : 0;
    }
    return kernels;
}

/// Ends an open capture when `record` throws, so that the stream stays usable.
class CaptureScope {
  public:
    explicit CaptureScope(cudaStream_t stream)
        : stream_(stream) {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin a capture");
    }

    CaptureScope(const CaptureScope&) = delete;
    CaptureScope& operator=(const CaptureScope&) = delete;

    ~CaptureScope() {
        if (is_open_) {
            cudaGraph_t abandoned = nullptr;
            cudaStreamEndCapture(stream_, &abandoned);
            if (abandoned != nullptr) {
                cudaGraphDestroy(abandoned);
            }
        }
    }

    [[nodiscard]] cudaGraph_t end() {
        is_open_ = false;
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph), "end the capture");
        return graph;
    }

  private:
    cudaStream_t stream_;
    bool is_open_ = true;
};

} // namespace

CapturedGraph::CapturedGraph(const Stream& stream, const std::function<void()>& record) {
    CaptureScope capture(stream.get());
    record();
    graph_.reset(capture.end());
    kernel_nodes_ = count_kernel_nodes(graph_.get());
}

GraphExecutable::GraphExecutable(const CapturedGraph& graph) {
    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph.get(), 0), "instantiate the graph");
    exec_.reset(exec);
}

void GraphExecutable::upload(const Stream& stream) const {
    check(cudaGraphUpload(exec_.get(), stream.get()), "upload the graph");
}

void GraphExecutable::launch(const Stream& stream) const {
    check(cudaGraphLaunch(exec_.get(), stream.get()), "replay the graph");
}

Graph::Graph(const Stream& stream, const std::function<void()>& record)
    : captured_(stream, record),
      executable_(captured_) {
    executable_.upload(stream);
    stream.synchronize();
}

} // namespace kvprof::cuda
