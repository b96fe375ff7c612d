#include "tests/bench/fused_forms.h"

#include "kernels/cuda/launch.h"
#include "tests/bench/graph_time.h"
#include "tests/bench/index_data.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace kvprof::bench {
namespace {

using kernels::IndexType;
using test::DeviceVector;
using test::require_cuda;
namespace cuda = kernels::cuda;

constexpr int kSamples = 51;
constexpr std::int64_t kWindow = 512;

template<typename T>
DeviceVector<T> zeros(std::int64_t count) {
    return DeviceVector<T>(std::vector<T>(static_cast<std::size_t>(count)));
}

std::vector<std::int64_t> one_to(std::int64_t count) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), std::int64_t{1});
    return values;
}

/// What both forms write.
struct Outputs {
    DeviceVector<std::int32_t> indptr = zeros<std::int32_t>(kMostBatch + 1);
    DeviceVector<std::int32_t> window_indptr = zeros<std::int32_t>(kMostBatch + 1);
    DeviceVector<std::int32_t> window_stream = zeros<std::int32_t>(kMostBatch * kWindow);
    DeviceVector<std::int64_t> write_loc = zeros<std::int64_t>(kMostBatch);

    [[nodiscard]] bool operator==(const Outputs& other) const {
        return indptr.host() == other.indptr.host()
               && window_indptr.host() == other.window_indptr.host()
               && window_stream.host() == other.window_stream.host()
               && write_loc.host() == other.write_loc.host();
    }
};

class FusedBench {
  public:
    void run() {
        std::printf("batch  length    long ids   windows: apart   fused   without: apart   fused\n"
        );
        for (const IndexShape& shape : kIndexShapes) {
            time_shape(shape);
        }
        for (const IndexShape& shape : kSkewedShapes) {
            time_shape(shape);
        }
    }

  private:
    void fill(const IndexShape& shape) {
        data_.fill(shape);
        std::vector<std::int32_t> lens(kMostBatch, 0);
        std::vector<std::int32_t> starts(kMostBatch, 0);
        for (std::int64_t lane = 0; lane < shape.lanes(); ++lane) {
            const auto length = lane < shape.batch ? shape.length : shape.long_length;
            const auto listed = std::min(length, kWindow);
            lens[static_cast<std::size_t>(lane)] = static_cast<std::int32_t>(listed);
            starts[static_cast<std::size_t>(lane)] = static_cast<std::int32_t>(length - listed);
        }
        window_lens_.assign(lens);
        window_starts_.assign(starts);
    }

    [[nodiscard]] cudaError_t
    launch_apart(const Outputs& out, bool has_windows, cudaStream_t stream) const {
        auto full = data_.stream_call(IndexType::i32);
        full.indptr = out.indptr.data();
        auto windows = full;
        windows.lanes.lens = {window_lens_.data(), IndexType::i32};
        windows.starts = {window_starts_.data(), IndexType::i32};
        windows.indptr = out.window_indptr.data();
        windows.out.data = out.window_stream.data();
        windows.capacity = kMostBatch * kWindow;
        const std::int64_t batch = full.lanes.batch;
        const std::vector<kernels::KernelCall> all{
            write_call(out, full.lanes),
            kernels::IndptrCall{full.lanes.lens, out.indptr.data(), batch},
            full,
            kernels::IndptrCall{windows.lanes.lens, out.window_indptr.data(), batch},
            windows};
        const std::size_t count = has_windows ? 5 : 3;
        cudaError_t status = cudaSuccess;
        for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
            status = cuda::launch(all[i], stream);
        }
        return status;
    }

    [[nodiscard]] kernels::WriteLocCall
    write_call(const Outputs& out, const kernels::ReadLanes& lanes) const {
        return {
            .loc = loc_.data(),
            .v2p = lanes.v2p,
            .mult = lanes.mult,
            .count = lanes.batch,
            .out = out.write_loc.data(),
            .out_count = lanes.batch};
    }

    [[nodiscard]] kernels::FusedMetadataCall
    fused_call(const Outputs& out, bool has_windows) const {
        const auto full = data_.stream_call(IndexType::i32);
        kernels::FusedMetadataCall call{
            .req_to_token = full.lanes.req_to_token,
            .req_columns = full.lanes.req_columns,
            .rows = full.lanes.rows,
            .lens = full.lanes.lens,
            .batch = full.lanes.batch,
            .full = {},
            .windows = {},
            .loc = loc_.data(),
            .count = full.lanes.batch,
            .out_count = full.lanes.batch};
        call.full.v2p = full.lanes.v2p;
        call.full.mult = full.lanes.mult;
        call.full.indptr = out.indptr.data();
        call.full.stream = full.out;
        call.full.capacity = full.capacity;
        call.full.write_loc = out.write_loc.data();
        if (has_windows) {
            call.windows = call.full;
            call.windows.window = kWindow;
            call.windows.lens = listed_.data();
            call.windows.starts = first_.data();
            call.windows.indptr = out.window_indptr.data();
            call.windows.stream.data = out.window_stream.data();
            call.windows.capacity = kMostBatch * kWindow;
            call.windows.write_loc = nullptr;
        }
        return call;
    }

    void check() {
        const Outputs apart;
        const Outputs fused;
        require_cuda(launch_apart(apart, true, nullptr), "launch the parts");
        data_.check_stream();
        data_.clear_outputs();
        require_cuda(cuda::launch(fused_call(fused, true), nullptr), "launch the fused metadata");
        data_.check_stream();
        if (!(apart == fused)) {
            throw std::runtime_error("the fused metadata are not those of separate launches");
        }
    }

    [[nodiscard]] double apart_us(bool has_windows) const {
        return median_us(
            [&](cudaStream_t stream) { return launch_apart(out_, has_windows, stream); }, kSamples
        );
    }

    [[nodiscard]] double fused_us(bool has_windows) const {
        const auto call = fused_call(out_, has_windows);
        return median_us([&](cudaStream_t stream) { return cuda::launch(call, stream); }, kSamples);
    }

    void time_shape(const IndexShape& shape) {
        fill(shape);
        check();
        std::printf(
            "%5lld %7lld %7lld %-4s %16.2f %7.2f %16.2f %7.2f\n",
            static_cast<long long>(shape.batch),
            static_cast<long long>(shape.length),
            static_cast<long long>(shape.long_length),
            shape.in_order ? "seq" : "rand",
            apart_us(true),
            fused_us(true),
            apart_us(false),
            fused_us(false)
        );
        std::fflush(stdout);
    }

    IndexData data_;
    DeviceVector<std::int64_t> loc_{one_to(kMostBatch)};
    DeviceVector<std::int32_t> window_lens_ = zeros<std::int32_t>(kMostBatch);
    DeviceVector<std::int32_t> window_starts_ = zeros<std::int32_t>(kMostBatch);
    DeviceVector<std::int32_t> listed_ = zeros<std::int32_t>(kMostBatch);
    DeviceVector<std::int32_t> first_ = zeros<std::int32_t>(kMostBatch);
    Outputs out_;
};

} // namespace

void time_fused_metadata() {
    FusedBench().run();
}

} // namespace kvprof::bench
