#include "kernels/backend_rules.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/lane_walk.cuh"
#include "kernels/cuda/read_index.h"
#include "kernels/read_geometry.h"

namespace kvprof::kernels::cuda {
namespace {

/// Position i of a lane gives the i-th id of its stream, and a page's first one the table's entry.
template<int PageSize, typename Physical, typename Id>
struct TableAndStreamWriter : StreamWriter<PageSize, Physical, Id> {
    using Stream = StreamWriter<PageSize, Physical, Id>;

    std::int32_t* table;
    int columns;
    int tokens;

    __device__ void store(int item, Physical physical) const {
        const auto position = static_cast<std::uint32_t>(item);
        const auto page_size = this->reader.page_size();
        if (item < tokens) {
            Stream::store(item, physical);
        }
        const auto column = position / page_size;
        if (position % page_size == 0 && column < static_cast<std::uint32_t>(columns)) {
            const auto mult = static_cast<std::uint32_t>(this->mult);
            __stcs(table + column, static_cast<std::int32_t>(narrow_page_entry(physical, mult)));
        }
    }
};

/// Row blockIdx.x of the table, part blockIdx.y of gridDim.y.
template<int Threads, int Items, int PageSize, typename Physical, typename Id>
__global__ void __launch_bounds__(Threads)
    table_and_stream_kernel(const __grid_constant__ TableAndStreamCall call) {
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    const int parts = static_cast<int>(gridDim.y);
    const int part = static_cast<int>(blockIdx.y);
    std::int32_t* table = call.table + lane * call.stride;
    if (lane >= call.lanes.batch) {
        zero_columns(table, 0, call.width);
        return;
    }
    const auto extent = table_and_stream_lane(call, lane);
    const LaneReader<PageSize, Physical> reader(call.lanes, __ldg(call.lanes.rows + lane));
    const StreamWriter<PageSize, Physical, Id> stream{
        reader,
        static_cast<std::make_unsigned_t<Id>>(call.lanes.mult),
        static_cast<std::uint32_t>(extent.start),
        static_cast<Id*>(call.stream.data) + __ldg(call.indptr + lane)};
    const int columns = static_cast<int>(extent.columns);
    const int tokens = static_cast<int>(extent.tokens);
    if (call.starts.data == nullptr) {
        const TableAndStreamWriter<PageSize, Physical, Id> both{stream, table, columns, tokens};
        const auto walked = static_cast<int>(walked_items(call, extent));
        write_part<Threads, Items, Physical>(both, walked, parts, part);
    } else {
        const TableWriter<PageSize, Physical> alone{
            reader, static_cast<std::uint32_t>(call.lanes.mult), table};
        write_part<Threads, Items, Physical>(alone, columns, parts, part);
        write_part<Threads, Items, Physical>(stream, tokens, parts, part);
    }
    if (call.zero_tail) {
        zero_columns(table, extent.columns, call.width);
    }
}

template<typename Physical, typename Id>
cudaError_t launch_typed(const TableAndStreamCall& call, cudaStream_t cuda_stream) {
    const auto shape = table_and_stream_shape(call);
    return with_page_size(call.lanes.page_size, [&](auto page_size) {
        constexpr auto kTuning = kGatherTuning;
        constexpr int kPageSize = decltype(page_size)::value;
        table_and_stream_kernel<kTuning.threads, kTuning.items, kPageSize, Physical, Id>
            <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
        return cudaGetLastError();
    });
}

} // namespace

cudaError_t launch(const TableAndStreamCall& call, cudaStream_t cuda_stream) {
    const bool reads = call.lanes.batch > 0 && call.lanes.req_columns > 0;
    const bool clears = call.zero_tail && call.width > 0;
    if (rows_of(call) <= 0 || (!reads && !clears)) {
        return cudaSuccess;
    }
    if (!fits_narrow_ids(call.lanes)) {
        return cudaErrorInvalidValue;
    }
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return with_index_type(call.stream.type, [&](auto id) {
            return launch_typed<decltype(physical), decltype(id)>(call, cuda_stream);
        });
    });
}

} // namespace kvprof::kernels::cuda
