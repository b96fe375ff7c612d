#include "kernels/cuda/dcp.h"

#include "kernels/host/dcp.h"
#include "tests/kernels/device_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::LocalLensCall;
using kvprof::test::CapturedGraph;
using kvprof::test::DcpCase;
using kvprof::test::DeviceVector;
using kvprof::test::kPoison;
using kvprof::test::mirror_of;
using kvprof::test::on_device;
using kvprof::test::random_dcp_cases;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

void expect_twins_agree(DcpCase& dcp) {
    const auto mirror = mirror_of(dcp);
    require_cuda(cuda::launch(on_device(mirror, dcp.gather()), nullptr), "launch the gather");
    host::run(dcp.gather());
    EXPECT_EQ(mirror.fetched(dcp.ids.bytes), dcp.ids.bytes) << "seed " << dcp.read.spec.seed;
    require_cuda(cuda::launch(on_device(mirror, dcp.translate()), nullptr), "launch the translate");
    host::run(dcp.translate());
    EXPECT_EQ(mirror.fetched(dcp.ids.bytes), dcp.ids.bytes) << "seed " << dcp.read.spec.seed;
}

TEST(DcpGpu, P17EqualsTheHostTwinsOn40RandomCasesForEveryRank) {
    for (auto& dcp : random_dcp_cases(40)) {
        expect_twins_agree(dcp);
    }
}

TEST(DcpGpu, P3CutsLongLanesWithoutGapOrOverlap) {
    DcpCase dcp(
        {.seed = 5, .page_size = 2, .mult = 3, .lens = {70000, 131072, 1, 0, 8224}},
        {2, 1},
        IndexType::i32
    );
    expect_twins_agree(dcp);
    // More ids than the translate's grid covers in a pass.
    DcpCase wide(
        {.seed = 6, .mult = 3, .lens = std::vector<std::int64_t>(8, 131072)}, {1, 0}, IndexType::i64
    );
    expect_twins_agree(wide);
}

TEST(DcpGpu, P4StopsAtTheCapacityAndAtTheColumnsOfReqToToken) {
    DcpCase dcp({.lens = {40, 40}, .req_columns = 21}, {2, 1}, IndexType::i32);
    const auto mirror = mirror_of(dcp);
    auto call = dcp.gather();
    call.capacity = 25;
    host::run(call);
    require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the gather");
    EXPECT_EQ(mirror.fetched(dcp.ids.bytes), dcp.ids.bytes);
}

TEST(DcpGpu, P17LocalLengthsEqualTheHostTwins) {
    std::vector<std::int64_t> lens(300);
    for (std::size_t i = 0; i < lens.size(); ++i) {
        lens[i] = static_cast<std::int64_t>(i * i) - 4;
    }
    for (std::int64_t dcp = 1; dcp <= 4; ++dcp) {
        std::vector<std::int32_t> out(lens.size() + 1, kPoison);
        const DeviceVector device_lens(lens);
        const DeviceVector device_out(out);
        LocalLensCall call{
            .lens = {lens.data(), IndexType::i64},
            .delta = 1,
            .out = out.data(),
            .dcp = dcp,
            .rank = dcp - 1,
            .batch = 300};
        host::run(call);
        call.lens.data = device_lens.data();
        call.out = device_out.data();
        require_cuda(cuda::launch(call, nullptr), "launch the local lengths");
        EXPECT_EQ(device_out.host(), out);
    }
}

TEST(ReplayGpu, P5ARanksStreamGraphFollowsLengthsAndContents) {
    constexpr std::int64_t kColumns = 4224;
    constexpr std::int64_t kPages = 4 * kColumns + 2;
    const auto moved = [](std::int64_t length, std::uint32_t seed) {
        DcpCase dcp(
            {.seed = seed,
             .mult = 7,
             .lens = {length, length / 2, 0, length},
             .req_columns = kColumns,
             .hole_percent = 5,
             .tombstone_percent = 5},
            {2, 1},
            IndexType::i32
        );
        dcp.read.v2p.bytes.resize(kPages * sizeof(std::int64_t), 0xff);
        dcp.ids = {std::vector<std::int64_t>(2 * kColumns, kPoison), IndexType::i32};
        return dcp;
    };
    auto first = moved(1, 1);
    auto mirror = mirror_of(first);
    auto gather = first.gather();
    auto translate = first.translate();
    gather.capacity = 2 * kColumns;
    translate.capacity = 2 * kColumns;
    const CapturedGraph graph([&](cudaStream_t stream) {
        const auto status = cuda::launch(on_device(mirror, gather), stream);
        return status == cudaSuccess ? cuda::launch(on_device(mirror, translate), stream) : status;
    });
    EXPECT_EQ(graph.node_count(), 2U);
    std::uint32_t seed = 2;
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 4200, 3}) {
        const auto next = moved(length, seed++);
        // Copied over: the mirror knows the memory by its place.
        const auto take = [](auto& to, const auto& from) {
            std::copy(from.begin(), from.end(), to.begin());
        };
        take(first.read.req_to_token, next.read.req_to_token);
        take(first.read.rows, next.read.rows);
        take(first.read.v2p.bytes, next.read.v2p.bytes);
        take(first.local_lens.bytes, next.local_lens.bytes);
        take(first.indptr, next.indptr);
        take(first.ids.bytes, next.ids.bytes);
        kvprof::test::refresh_read(mirror, first.read);
        mirror.refresh(first.local_lens.bytes);
        mirror.refresh(first.indptr);
        mirror.refresh(first.ids.bytes);
        graph.replay();
        host::run(gather);
        host::run(translate);
        EXPECT_EQ(mirror.fetched(first.ids.bytes), first.ids.bytes) << "length " << length;
    }
}

TEST(DcpGpu, RefusesARankThatIsNotThere) {
    EXPECT_EQ(
        cuda::launch(LocalLensCall{.dcp = 2, .rank = 2, .batch = 1}, nullptr), cudaErrorInvalidValue
    );
    EXPECT_EQ(
        cuda::launch(
            kvprof::kernels::DcpGatherCall{
                .req_columns = 4, .capacity = 4, .dcp = 2, .rank = -1, .batch = 1},
            nullptr
        ),
        cudaErrorInvalidValue
    );
}

} // namespace
