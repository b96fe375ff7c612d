#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::test {

/// Throws when a CUDA call of a test failed; `action` says what was being done.
inline void require_cuda(cudaError_t status, const std::string& action) {
    if (status != cudaSuccess) {
        throw std::runtime_error(
            "could not " + action + ": " + cudaGetErrorName(status) + " ("
            + cudaGetErrorString(status) + ")"
        );
    }
}

/// Device memory with the contents of a host vector. Copies wait for the whole device.
template<typename T>
class DeviceVector {
  public:
    explicit DeviceVector(const std::vector<T>& values)
        : size_(values.size()) {
        // An empty vector still gets a valid address: kernels may be given it, with a count of 0.
        require_cuda(cudaMalloc(&data_, (size_ == 0 ? 1 : size_) * sizeof(T)), "allocate");
        assign(values);
    }

    DeviceVector(DeviceVector&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)) {}

    DeviceVector& operator=(DeviceVector&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;

    ~DeviceVector() { cudaFree(data_); }

    [[nodiscard]] T* data() const { return static_cast<T*>(data_); }

    [[nodiscard]] std::size_t size() const { return size_; }

    /// Replaces the contents; the size stays.
    void assign(const std::vector<T>& values) {
        if (values.size() != size_) {
            throw std::logic_error("a device vector keeps its size");
        }
        copy(data_, values.data(), "copy to the device");
    }

    [[nodiscard]] std::vector<T> host() const {
        std::vector<T> values(size_);
        copy(values.data(), data_, "copy to the host");
        return values;
    }

  private:
    void copy(void* to, const void* from, const char* action) const {
        require_cuda(cudaDeviceSynchronize(), "finish the work before a copy");
        require_cuda(cudaMemcpy(to, from, size_ * sizeof(T), cudaMemcpyDefault), action);
    }

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A stream, and a graph captured on it once and replayed.
class CapturedGraph {
  public:
    /// `launch(stream)` returns a cudaError_t, and is called once, under capture.
    template<typename Launch>
    explicit CapturedGraph(Launch launch) {
        require_cuda(cudaStreamCreate(&stream_), "create a stream");
        require_cuda(
            cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin a capture"
        );
        require_cuda(launch(stream_), "launch under capture");
        require_cuda(cudaStreamEndCapture(stream_, &graph_), "end the capture");
        require_cuda(cudaGraphInstantiate(&exec_, graph_, 0), "instantiate the graph");
    }

    CapturedGraph(CapturedGraph&&) = delete;
    CapturedGraph& operator=(CapturedGraph&&) = delete;

    ~CapturedGraph() {
        cudaGraphExecDestroy(exec_);
        cudaGraphDestroy(graph_);
        cudaStreamDestroy(stream_);
    }

    void replay() const { require_cuda(cudaGraphLaunch(exec_, stream_), "replay the graph"); }

    [[nodiscard]] std::size_t node_count() const {
        std::size_t count = 0;
        require_cuda(cudaGraphGetNodes(graph_, nullptr, &count), "count the graph's nodes");
        return count;
    }

    [[nodiscard]] cudaStream_t stream() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace kvprof::test
