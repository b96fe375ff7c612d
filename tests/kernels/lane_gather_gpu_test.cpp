#include "kernels/cuda/read_index.h"
#include "kernels/host/read_index.h"
#include "tests/support/device_read_case.h"

#include <gtest/gtest.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::test::DeviceReadCase;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

constexpr std::int32_t kPoison = -77;

std::int64_t window_end(const ReadCase& read) {
    std::int64_t end = 1;
    for (std::size_t lane = 0; lane < read.spec.lens.size(); ++lane) {
        const auto start = read.spec.starts.empty() ? 0 : read.spec.starts[lane];
        end = std::max(end, start + read.spec.lens[lane]);
    }
    return end;
}

/// rectangle + repack on the device against the fused stream on the device.
void expect_repack_equals_stream(ReadCase& read, IndexType type) {
    DeviceReadCase device(read);
    const auto width = (window_end(read) + read.spec.page_size - 1) / read.spec.page_size;
    // The rectangle is built to the end of each window, as its consumer would ask for.
    std::vector<std::int64_t> ends = read.spec.lens;
    for (std::size_t lane = 0; lane < read.spec.starts.size(); ++lane) {
        ends[lane] += read.spec.starts[lane];
    }
    const DeviceVector<std::int64_t> device_ends(ends);
    const DeviceVector<std::int32_t> table(
        std::vector<std::int32_t>(static_cast<std::size_t>(read.batch() * width), kPoison)
    );
    kvprof::kernels::PageTableCall build{
        .lanes = device.lanes, .out = table.data(), .stride = width, .width = width};
    build.lanes.lens = {device_ends.data(), IndexType::i64};
    require_cuda(cuda::launch(build, nullptr), "launch the page table");

    const auto size = static_cast<std::size_t>(read.tokens() + 5);
    const IndexBuffer poison(std::vector<std::int64_t>(size, kPoison), type);
    const DeviceVector<std::uint8_t> repacked(poison.bytes);
    const kvprof::kernels::RepackCall repack{
        .table = table.data(),
        .stride = width,
        .lens = device.lanes.lens,
        .starts = device.starts_view,
        .indptr = device.indptr.data(),
        .out = {repacked.data(), type},
        .capacity = read.tokens(),
        .page_size = read.spec.page_size,
        .batch = read.batch(),
    };
    require_cuda(cuda::launch(repack, nullptr), "launch the repack");

    const DeviceVector<std::uint8_t> fused(poison.bytes);
    const kvprof::kernels::TokenStreamCall stream{
        .lanes = device.lanes,
        .starts = device.starts_view,
        .indptr = device.indptr.data(),
        .out = {fused.data(), type},
        .capacity = read.tokens(),
    };
    require_cuda(cuda::launch(stream, nullptr), "launch the token stream");
    EXPECT_EQ(repacked.host(), fused.host()) << "seed " << read.spec.seed;
}

TEST(RepackGpu, P2RectangleAndRepackEqualTheStreamOn45RandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(45, true)) {
        ReadCase read(spec);
        expect_repack_equals_stream(read, IndexType::i32);
        expect_repack_equals_stream(read, IndexType::i64);
    }
}

TEST(StaticGatherGpu, EqualsTheHostTwinOnRandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(20, true)) {
        ReadCase read(spec);
        DeviceReadCase device(read);
        for (const auto type : {IndexType::i32, IndexType::i64}) {
            const auto size = static_cast<std::size_t>(read.tokens() + 5);
            IndexBuffer out(std::vector<std::int64_t>(size, kPoison), type);
            const DeviceVector<std::uint8_t> device_out(out.bytes);
            kvprof::kernels::StaticGatherCall call{
                .req_to_token = read.req_to_token.data(),
                .req_columns = read.req_columns,
                .rows = read.rows.data(),
                .lens = read.lens.view(),
                .starts = read.starts_view(),
                .indptr = read.indptr.data(),
                .out = out.mutable_view(),
                .capacity = read.tokens(),
                .batch = read.batch(),
            };
            host::run(call);
            call.req_to_token = device.req_to_token.data();
            call.rows = device.rows.data();
            call.lens = device.lanes.lens;
            call.starts = device.starts_view;
            call.indptr = device.indptr.data();
            call.out.data = device_out.data();
            require_cuda(cuda::launch(call, nullptr), "launch the static gather");
            EXPECT_EQ(device_out.host(), out.bytes) << "seed " << spec.seed;
        }
    }
}

TEST(StaticBlockTableGpu, EqualsTheHostTwinOnRandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(20, false)) {
        ReadCase read(spec);
        DeviceReadCase device(read);
        const auto width = (read.longest() + spec.page_size - 1) / spec.page_size + 2;
        std::vector<std::int32_t> out(
            static_cast<std::size_t>((read.batch() + 1) * (width + 1)), kPoison
        );
        const DeviceVector<std::int32_t> device_out(out);
        kvprof::kernels::StaticBlockTableCall call{
            .req_to_token = read.req_to_token.data(),
            .req_columns = read.req_columns,
            .rows = read.rows.data(),
            .lens = read.lens.view(),
            .out = out.data(),
            .stride = width + 1,
            .width = width,
            .page_size = spec.page_size,
            .batch = read.batch(),
        };
        host::run(call);
        call.req_to_token = device.req_to_token.data();
        call.rows = device.rows.data();
        call.lens = device.lanes.lens;
        call.out = device_out.data();
        require_cuda(cuda::launch(call, nullptr), "launch the static block table");
        EXPECT_EQ(device_out.host(), out) << "seed " << spec.seed;
    }
}

} // namespace
