// Times the forms of an index that several readers need, under graph replay: a rectangle and a
// repack for each reader, a fused stream for each, one stream and copies, and a table with the
// first stream in one launch. Checks table and stream against the host twins first. Then what
// backends and compaction do in one launch, and a step's whole index work, against their separate
// launches. Usage:
// kvprof_gpu_forms_bench
#include "kernels/cuda/launch.h"
#include "tests/bench/fused_forms.h"
#include "tests/bench/graph_time.h"
#include "tests/bench/index_data.h"

#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

namespace kvprof::bench {
namespace {

using kernels::GridRule;
using kernels::IndexType;
using test::DeviceVector;
using test::require_cuda;
namespace cuda = kernels::cuda;

constexpr int kSamples = 51;
constexpr int kMostReaders = 4;

/// Launches one after the other; the first failure is the result.
template<typename... Calls>
cudaError_t launch_all(cudaStream_t stream, const Calls&... calls) {
    cudaError_t status = cudaSuccess;
    ((status = status == cudaSuccess ? cuda::launch(calls, stream) : status), ...);
    return status;
}

class ReadersBench {
  public:
    void run() {
        std::printf("batch  length ids  readers  rectangle+repack    fused  fused+copy  together\n"
        );
        for (const IndexShape& shape : kIndexShapes) {
            data_.fill(shape);
            check();
            for (const int readers : {1, 2, kMostReaders}) {
                time_readers(shape, readers);
            }
            std::fflush(stdout);
        }
    }

  private:
    [[nodiscard]] kernels::TableAndStreamCall together_call() const {
        const auto table = data_.table_call(GridRule::bs, IndexType::i64);
        const auto stream = data_.stream_call(IndexType::i64);
        return {
            .lanes = table.lanes,
            .table = table.out,
            .stride = table.stride,
            .width = table.width,
            .starts = {},
            .indptr = stream.indptr,
            .stream = stream.out,
            .capacity = stream.capacity,
        };
    }

    void check() {
        data_.clear_outputs();
        require_cuda(cuda::launch(together_call(), nullptr), "launch the table and the stream");
        data_.check_table();
        data_.check_stream();
    }

    /// Readers after the first have streams of their own.
    [[nodiscard]] void* stream_of(int reader, void* first) const {
        return reader == 0 ? first : more_[static_cast<std::size_t>(reader - 1)].data();
    }

    cudaError_t repack_from(int first, int readers, cudaStream_t stream) const {
        auto call = data_.repack_call();
        void* own = call.out.data;
        cudaError_t status = cudaSuccess;
        for (int reader = first; reader < readers && status == cudaSuccess; ++reader) {
            call.out.data = stream_of(reader, own);
            status = cuda::launch(call, stream);
        }
        return status;
    }

    cudaError_t fuse(int readers, cudaStream_t stream) const {
        auto call = data_.stream_call(IndexType::i64);
        void* own = call.out.data;
        cudaError_t status = cudaSuccess;
        for (int reader = 0; reader < readers && status == cudaSuccess; ++reader) {
            call.out.data = stream_of(reader, own);
            status = cuda::launch(call, stream);
        }
        return status;
    }

    cudaError_t copy(int readers, std::int64_t tokens, cudaStream_t stream) const {
        const auto bytes = static_cast<std::size_t>(tokens) * sizeof(std::int32_t);
        const auto* own = data_.stream_call(IndexType::i64).out.data;
        cudaError_t status = cudaSuccess;
        for (int reader = 1; reader < readers && status == cudaSuccess; ++reader) {
            status = cudaMemcpyAsync(
                more_[static_cast<std::size_t>(reader - 1)].data(),
                own,
                bytes,
                cudaMemcpyDeviceToDevice,
                stream
            );
        }
        return status;
    }

    void time_readers(const IndexShape& shape, int readers) {
        const auto table = data_.table_call(GridRule::bs, IndexType::i64);
        const auto both = together_call();
        const Launch rectangle = [&](cudaStream_t s) {
            const auto status = cuda::launch(table, s);
            return status == cudaSuccess ? repack_from(0, readers, s) : status;
        };
        const Launch fused = [&](cudaStream_t s) { return fuse(readers, s); };
        const Launch copied = [&](cudaStream_t s) {
            const auto status = fuse(1, s);
            return status == cudaSuccess ? copy(readers, shape.tokens(), s) : status;
        };
        const Launch together = [&](cudaStream_t s) {
            const auto status = cuda::launch(both, s);
            return status == cudaSuccess ? repack_from(1, readers, s) : status;
        };
        std::printf(
            "%5lld %7lld %-4s %8d %17.2f %8.2f %11.2f %9.2f\n",
            static_cast<long long>(shape.batch),
            static_cast<long long>(shape.length),
            shape.in_order ? "seq" : "rand",
            readers,
            median_us(rectangle, kSamples),
            median_us(fused, kSamples),
            median_us(copied, kSamples),
            median_us(together, kSamples)
        );
    }

    IndexData data_;
    std::vector<DeviceVector<std::int32_t>> more_ = [] {
        std::vector<DeviceVector<std::int32_t>> streams;
        for (int i = 1; i < kMostReaders; ++i) {
            streams.emplace_back(std::vector<std::int32_t>(kMostBatch * kMostLength));
        }
        return streams;
    }();
};

void print_pair(const char* what, double apart_us, double fused_us) {
    std::printf("%-44s apart %9.2f us, in one launch %9.2f us\n", what, apart_us, fused_us);
}

std::vector<std::int64_t> count_from(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// 64 pages of Kimi-Linear's 64 tokens there and back: the tables' launches are left out of the
/// separate form, so that it is a lower bound.
void time_compaction() {
    constexpr std::int64_t kPages = 64;
    constexpr std::int64_t kPageBytes = 64 * 8064;
    const DeviceVector pool(std::vector<std::uint8_t>(2 * kPages * kPageBytes));
    const DeviceVector staging(std::vector<std::uint8_t>(kPages * kPageBytes));
    const DeviceVector low(count_from(0, kPages));
    const DeviceVector high(count_from(kPages, kPages));
    auto p2v = count_from(0, kPages);
    p2v.resize(2 * kPages, -1);
    const DeviceVector device_p2v(p2v);
    const DeviceVector v2p(count_from(0, kPages));
    const kernels::CompactMoveCall there{
        .from = low.data(),
        .to = high.data(),
        .count = kPages,
        .buffer = pool.data(),
        .page_bytes = kPageBytes,
        .v2p = {v2p.data(), IndexType::i64, kPages},
        .p2v = device_p2v.data()};
    auto back = there;
    std::swap(back.from, back.to);
    const kernels::EnvelopeCopyCall gather{
        .pages = low.data(),
        .count = kPages,
        .buffer = pool.data(),
        .page_bytes = kPageBytes,
        .staging = staging.data()};
    auto scatter = gather;
    scatter.pages = high.data();
    scatter.is_gather = false;
    const Launch moves = [&](cudaStream_t s) { return launch_all(s, there, back); };
    const Launch copies = [&](cudaStream_t s) { return launch_all(s, gather, scatter); };
    print_pair(
        "64 envelopes of 504 KiB", median_us(copies, kSamples), median_us(moves, kSamples) / 2
    );
}

/// Lengths, row starts and block tables of 64 lanes of 8,224 tokens in pages of 64.
void time_metadata() {
    constexpr std::int64_t kBatch = 64;
    constexpr std::int64_t kColumns = 131072;
    constexpr std::int64_t kPageSize = 64;
    const DeviceVector tokens(std::vector<std::int32_t>((kBatch + 1) * kColumns, 640));
    const DeviceVector rows(count_from(1, kBatch));
    const DeviceVector lens(std::vector<std::int64_t>(kBatch, 8224));
    const DeviceVector cache_seqlens(std::vector<std::int32_t>(kBatch, 0));
    const DeviceVector starts(std::vector<std::int32_t>(kBatch + 1));
    const DeviceVector table(std::vector<std::int32_t>(kBatch * kColumns / kPageSize));
    const kernels::MapCall cast{
        .op = kernels::MapOp::copy,
        .a = {.data = lens.data()},
        .out = {cache_seqlens.data(), IndexType::i32},
        .cols = kBatch};
    const kernels::IndptrCall scan{
        .lens = {cache_seqlens.data(), IndexType::i32}, .out = starts.data(), .batch = kBatch};
    const kernels::StaticBlockTableCall pages{
        .req_to_token = tokens.data(),
        .req_columns = kColumns,
        .rows = rows.data(),
        .lens = {cache_seqlens.data(), IndexType::i32},
        .out = table.data(),
        .stride = kColumns / kPageSize,
        .width = kColumns / kPageSize,
        .page_size = kPageSize,
        .batch = kBatch};
    const kernels::FaMetadataCall fa{
        .lens = {lens.data(), IndexType::i64},
        .cache_seqlens = cache_seqlens.data(),
        .cu_seqlens_k = starts.data(),
        .source = kernels::TableSource::req_to_token,
        .req_to_token = tokens.data(),
        .req_columns = kColumns,
        .rows = rows.data(),
        .table = {.out = table.data()},
        .stride = pages.stride,
        .width = pages.width,
        .page_size = kPageSize,
        .batch = kBatch};
    const kernels::TrtllmMetadataCall trtllm{.lanes = fa};
    const double apart =
        median_us([&](cudaStream_t s) { return launch_all(s, cast, scan, pages); }, kSamples);
    const auto fused = [&](const auto& call) {
        return median_us([&](cudaStream_t s) { return cuda::launch(call, s); }, kSamples);
    };
    print_pair("fa3's metadata, 64 x 8,224, pages of 64", apart, fused(fa));
    print_pair("trtllm's metadata, 64 x 8,224, pages of 64", apart, fused(trtllm));
}

/// The write-location translate, bind and free of a step, one launch each.
void time_small_ops() {
    for (const std::int64_t items : {8, 64, 1024, 65536}) {
        const auto pages = count_from(1, items);
        const DeviceVector ids(pages);
        const DeviceVector out(pages);
        std::vector<std::int32_t> narrow(static_cast<std::size_t>(items + 2));
        std::iota(narrow.begin(), narrow.end(), 0);
        const DeviceVector v2p(narrow);
        const DeviceVector p2v(count_from(0, items + 2));
        const kernels::V2p table{v2p.data(), IndexType::i32, items + 2};
        const kernels::WriteLocCall write{
            .loc = ids.data(),
            .v2p = table,
            .mult = 7,
            .count = items,
            .out = out.data(),
            .out_count = items};
        const kernels::BindCall bind{ids.data(), ids.data(), items, table, p2v.data()};
        const kernels::FreeUnbindCall free{ids.data(), items, table, p2v.data(), out.data()};
        const auto early = [&](auto call) {
            return median_us([&](cudaStream_t s) { return cuda::launch(call, s); }, kSamples);
        };
        const auto late = [&](auto call) {
            call.starts_early = false;
            return early(call);
        };
        std::printf(
            "%6lld items, early (late), us: write locations %.2f (%.2f), bind %.2f (%.2f), free "
            "%.2f (%.2f)\n",
            static_cast<long long>(items),
            early(write),
            late(write),
            early(bind),
            late(bind),
            early(free),
            late(free)
        );
    }
}

} // namespace
} // namespace kvprof::bench

int main() {
    try {
        kvprof::bench::time_small_ops();
        kvprof::bench::time_fused_metadata();
        kvprof::bench::ReadersBench().run();
        kvprof::bench::time_metadata();
        kvprof::bench::time_compaction();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kvprof_gpu_forms_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
