#include "kernels/cuda/metadata.h"
#include "kernels/cuda/read_index.h"
#include "kernels/host/read_index.h"
#include "tests/support/device_read_case.h"

#include <gtest/gtest.h>

#include <array>

namespace {

using kvprof::kernels::GridRule;
using kvprof::kernels::IndexType;
using kvprof::test::CapturedGraph;
using kvprof::test::DeviceReadCase;
using kvprof::test::DeviceVector;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

constexpr std::int32_t kPoison = -77;
constexpr std::int64_t kColumns = 4224;

/// Four lanes of about `length` tokens, whose pages differ with the seed. The padded v2p gives all
/// cases one shape, as a captured graph needs.
ReadCase moved_case(std::int64_t length, std::uint32_t seed) {
    ReadCase read(
        {.seed = seed,
         .mult = 7,
         .lens = {length, length / 2, 0, length},
         .req_columns = kColumns,
         .hole_percent = 5,
         .tombstone_percent = 5}
    );
    read.v2p.bytes.resize((4 * kColumns + 2) * sizeof(std::int64_t), 0xff);
    return read;
}

std::vector<std::int32_t> poisoned(std::int64_t elements) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(elements), kPoison);
}

void expect_table_follows(GridRule grid) {
    ReadCase first = moved_case(1, 1);
    DeviceReadCase device(first);
    DeviceVector<std::int32_t> table(poisoned(4 * kColumns));
    kvprof::kernels::PageTableCall call{
        .lanes = device.lanes,
        .out = table.data(),
        .stride = kColumns,
        .width = kColumns,
        .grid = grid,
        .context_columns = kColumns,
    };
    const CapturedGraph graph([&](cudaStream_t stream) { return cuda::launch(call, stream); });
    std::uint32_t seed = 2;
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 4200, 3}) {
        ReadCase moved = moved_case(length, seed++);
        auto expected = poisoned(4 * kColumns);
        call.lanes = moved.lanes();
        call.out = expected.data();
        host::run(call);
        device.refresh(moved);
        table.assign(poisoned(4 * kColumns));
        graph.replay();
        EXPECT_EQ(table.host(), expected) << "length " << length;
    }
}

TEST(ReplayGpu, P5ATableGraphFollowsLengthsAndContents) {
    expect_table_follows(GridRule::bs);
}

TEST(ReplayGpu, P5AContextGridTableGraphFollowsLengthsAndContents) {
    expect_table_follows(GridRule::ctx);
}

TEST(ReplayGpu, P5AStreamGraphFollowsLengthsAndContents) {
    ReadCase first = moved_case(1, 1);
    DeviceReadCase device(first);
    constexpr std::int64_t kCapacity = 4 * kColumns;
    DeviceVector<std::int32_t> stream_ids(poisoned(kCapacity));
    kvprof::kernels::TokenStreamCall call{
        .lanes = device.lanes,
        .starts = {},
        .indptr = device.indptr.data(),
        .out = {stream_ids.data(), IndexType::i32},
        .capacity = kCapacity,
    };
    const CapturedGraph graph([&](cudaStream_t stream) { return cuda::launch(call, stream); });
    std::uint32_t seed = 2;
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 4200, 3}) {
        ReadCase moved = moved_case(length, seed++);
        auto expected = poisoned(kCapacity);
        call.lanes = moved.lanes();
        call.indptr = moved.indptr.data();
        call.out.data = expected.data();
        host::run(call);
        device.refresh(moved);
        stream_ids.assign(poisoned(kCapacity));
        graph.replay();
        EXPECT_EQ(stream_ids.host(), expected) << "length " << length;
    }
}

TEST(ReplayGpu, EachCallIsOneGraphNode) {
    ReadCase read({.lens = {100, 20}});
    DeviceReadCase device(read);
    DeviceVector<std::int32_t> out(poisoned(120));
    const CapturedGraph table([&](cudaStream_t stream) {
        return cuda::launch(
            kvprof::kernels::PageTableCall{
                .lanes = device.lanes, .out = out.data(), .stride = 60, .width = 60},
            stream
        );
    });
    const CapturedGraph fused([&](cudaStream_t stream) {
        return cuda::launch(
            kvprof::kernels::TokenStreamCall{
                .lanes = device.lanes,
                .starts = {},
                .indptr = device.indptr.data(),
                .out = {out.data(), IndexType::i32},
                .capacity = 120},
            stream
        );
    });
    const CapturedGraph indptr([&](cudaStream_t stream) {
        return cuda::launch(
            kvprof::kernels::IndptrCall{.lens = device.lanes.lens, .out = out.data(), .batch = 2},
            stream
        );
    });
    EXPECT_EQ(table.node_count(), 1U);
    EXPECT_EQ(fused.node_count(), 1U);
    EXPECT_EQ(indptr.node_count(), 1U);
}

} // namespace
