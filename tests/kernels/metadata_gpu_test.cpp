#include "kernels/cuda/metadata.h"

#include "kernels/host/metadata.h"
#include "tests/support/device_vector.h"
#include "tests/support/index_buffer.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using kvprof::kernels::AppendCall;
using kvprof::kernels::IndexType;
using kvprof::kernels::IndptrCall;
using kvprof::kernels::KvSplitsCall;
using kvprof::test::below;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

std::vector<std::int64_t> random_lens(std::int64_t batch) {
    std::mt19937 random(static_cast<std::uint32_t>(batch));
    std::vector<std::int64_t> lens;
    for (std::int64_t b = 0; b < batch; ++b) {
        lens.push_back(below(random, 3) == 0 ? 0 : below(random, 9000));
    }
    return lens;
}

TEST(IndptrGpu, EqualsTheHostTwinForBatchesAroundEveryBlockEdge) {
    for (const std::int64_t batch : {1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 5000}) {
        for (const auto type : {IndexType::i32, IndexType::i64}) {
            const IndexBuffer lens(random_lens(batch), type);
            std::vector<std::int32_t> out(static_cast<std::size_t>(batch + 4), -77);
            const DeviceVector<std::uint8_t> device_lens(lens.bytes);
            const DeviceVector<std::int32_t> device_out(out);
            host::run(IndptrCall{.lens = lens.view(), .out = out.data(), .batch = batch});
            const IndptrCall call{
                .lens = {device_lens.data(), type}, .out = device_out.data(), .batch = batch};
            require_cuda(cuda::launch(call, nullptr), "launch indptr");
            EXPECT_EQ(device_out.host(), out) << "batch " << batch;
        }
    }
}

TEST(KvSplitsGpu, EqualsTheHostTwin) {
    const IndexBuffer lens(random_lens(300), IndexType::i32);
    std::vector<std::int32_t> out(303, -77);
    const DeviceVector<std::uint8_t> device_lens(lens.bytes);
    const DeviceVector<std::int32_t> device_out(out);
    KvSplitsCall call{
        .lens = lens.view(),
        .batch = 300,
        .tokens_per_split = 700,
        .max_splits = 8,
        .out = out.data(),
    };
    host::run(call);
    call.lens.data = device_lens.data();
    call.out = device_out.data();
    require_cuda(cuda::launch(call, nullptr), "launch kv_splits");
    EXPECT_EQ(device_out.host(), out);
}

TEST(AppendGpu, EqualsTheHostTwinAndSkipsPositionsOutsideTheRow) {
    const std::vector<std::int64_t> rows{3, 1, 2, 4};
    const std::vector<std::int64_t> lens{1, 6, 0, 7};
    const std::vector<std::int64_t> ids{11, 22, 33, 44};
    std::vector<std::int32_t> matrix(5 * 6, -1);
    const DeviceVector<std::int64_t> device_rows(rows);
    const DeviceVector<std::int64_t> device_lens(lens);
    const DeviceVector<std::int64_t> device_ids(ids);
    const DeviceVector<std::int32_t> device_matrix(matrix);
    host::run(AppendCall{
        .req_to_token = matrix.data(),
        .req_columns = 6,
        .rows = rows.data(),
        .lens = lens.data(),
        .ids = ids.data(),
        .batch = 4,
    });
    const AppendCall call{
        .req_to_token = device_matrix.data(),
        .req_columns = 6,
        .rows = device_rows.data(),
        .lens = device_lens.data(),
        .ids = device_ids.data(),
        .batch = 4,
    };
    require_cuda(cuda::launch(call, nullptr), "launch append");
    EXPECT_EQ(device_matrix.host(), matrix);
}

TEST(MetadataGpu, LaunchesNothingForAnEmptyBatch) {
    EXPECT_EQ(cuda::launch(IndptrCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(AppendCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(KvSplitsCall{}, nullptr), cudaSuccess);
}

} // namespace
