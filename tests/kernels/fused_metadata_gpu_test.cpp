#include "kernels/cuda/fused_metadata.h"

#include "kernels/host/fused_metadata.h"
#include "tests/kernels/device_mirror.h"
#include "tests/kernels/fused_case.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kvprof::kernels::FusedMetadataCall;
using kvprof::kernels::FusedStream;
using kvprof::kernels::IndexType;
using kvprof::test::CapturedGraph;
using kvprof::test::DeviceMirror;
using kvprof::test::FusedCase;
using kvprof::test::FusedOutputs;
using kvprof::test::FusedSpec;
using kvprof::test::random_fused_cases;
using kvprof::test::random_lengths;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

void add(DeviceMirror& mirror, const FusedOutputs& out) {
    mirror.add(out.lens);
    mirror.add(out.starts);
    mirror.add(out.indptr);
    mirror.add(out.stream.bytes);
    mirror.add(out.write_loc);
}

DeviceMirror mirror_of(const FusedCase& fused) {
    DeviceMirror mirror;
    mirror.add(fused.read.req_to_token);
    mirror.add(fused.read.rows);
    mirror.add(fused.read.v2p.bytes);
    mirror.add(fused.lens.bytes);
    mirror.add(fused.window_v2p.bytes);
    mirror.add(fused.loc);
    add(mirror, fused.full);
    add(mirror, fused.windows);
    return mirror;
}

FusedMetadataCall on_device(const DeviceMirror& mirror, FusedMetadataCall call) {
    mirror.move_all(call.req_to_token, call.rows, call.lens, call.loc);
    for (FusedStream* stream : {&call.full, &call.windows}) {
        mirror.move_all(stream->v2p, stream->lens, stream->starts, stream->indptr);
        mirror.move_all(stream->stream, stream->write_loc);
    }
    return call;
}

void expect_same(const DeviceMirror& mirror, const FusedOutputs& out) {
    EXPECT_EQ(mirror.fetched(out.lens), out.lens);
    EXPECT_EQ(mirror.fetched(out.starts), out.starts);
    EXPECT_EQ(mirror.fetched(out.indptr), out.indptr);
    EXPECT_EQ(mirror.fetched(out.stream.bytes), out.stream.bytes);
    EXPECT_EQ(mirror.fetched(out.write_loc), out.write_loc);
}

void expect_twins_agree(FusedCase fused) {
    SCOPED_TRACE(
        testing::Message() << "seed " << fused.spec.read.seed << ", lanes " << fused.read.batch()
                           << ", page size " << fused.spec.read.page_size
    );
    const auto mirror = mirror_of(fused);
    const auto call = fused.call();
    require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the fused metadata");
    host::run(call);
    expect_same(mirror, fused.full);
    expect_same(mirror, fused.windows);
}

TEST(FusedMetadataGpu, P2EqualsTheHostTwinOn120RandomCases) {
    for (auto& fused : random_fused_cases(120)) {
        expect_twins_agree(std::move(fused));
    }
}

TEST(FusedMetadataGpu, P2EqualsTheHostTwinInEveryBatchPageSizeAndWidth) {
    std::uint32_t seed = 1;
    for (const std::int64_t batch : {1, 64, 257, 600, 1100}) {
        for (const std::int64_t page_size : {1, 3, 16, 64}) {
            for (const std::int64_t window : {0, 100, 1500}) {
                for (const IndexType ids : {IndexType::i32, IndexType::i64}) {
                    ++seed;
                    expect_twins_agree(FusedCase(FusedSpec{
                        .read =
                            {.seed = seed,
                             .page_size = page_size,
                             .mult = 1 + seed % 9,
                             .lens = random_lengths(batch, batch < 100 ? 9000 : 400, seed),
                             .hole_percent = 5,
                             .tombstone_percent = 5,
                             .v2p_type = seed % 3 == 0 ? IndexType::i64 : IndexType::i32},
                        .window = window,
                        .locations = batch,
                        .ids = ids}));
                }
            }
        }
    }
}

/// Longest lane times lanes exceeds the set-up of equal shares from 8 lanes on; 1,100 stay in rows.
TEST(FusedMetadataGpu, P3SharesSkewedLanesWithoutGapOrOverlap) {
    for (const std::int64_t batch : {8, 64, 257, 600, 1024, 1100}) {
        for (const std::int64_t page_size : {1, 16}) {
            auto lens = random_lengths(batch, 50, 3);
            lens[static_cast<std::size_t>(batch) / 2] = 300'001;
            FusedSpec spec{
                .read = {.page_size = page_size, .mult = 3, .lens = lens},
                .window = 4096,
                .locations = 2 * batch + 300};
            expect_twins_agree(FusedCase(spec));
            spec.capacity = 43'001;
            expect_twins_agree(FusedCase(spec));
        }
    }
}

TEST(FusedMetadataGpu, WindowsOfAllTokensAreASecondStream) {
    FusedCase fused({.read = {.lens = {5000, 3, 0, 1999}}, .window = 5000});
    const auto mirror = mirror_of(fused);
    auto call = fused.call();
    call.windows.window = 0;
    require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the fused metadata");
    host::run(call);
    expect_same(mirror, fused.full);
    expect_same(mirror, fused.windows);
}

TEST(FusedMetadataGpu, StopsAtTheColumnsOfReqToTokenAndAtTheStreamsEnd) {
    expect_twins_agree(FusedCase(FusedSpec{
        .read = {.page_size = 4, .lens = {40, 7, 64}, .req_columns = 18}, .window = 30}));
    expect_twins_agree(FusedCase(FusedSpec{
        .read = {.lens = {40, 7, 64}}, .window = 30, .capacity = 43, .locations = 0, .cleared = 0})
    );
    expect_twins_agree(FusedCase(FusedSpec{.read = {.lens = {40, 7}}, .capacity = 0}));
}

TEST(FusedMetadataGpu, TranslatesLocationsInPlace) {
    FusedCase fused({.read = {.lens = {2000}}, .window = 8, .locations = 1500});
    std::copy(fused.loc.begin(), fused.loc.end(), fused.full.write_loc.begin());
    const auto mirror = mirror_of(fused);
    auto call = fused.call();
    call.loc = call.full.write_loc;
    require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the fused metadata");
    host::run(call);
    expect_same(mirror, fused.full);
    expect_same(mirror, fused.windows);
}

TEST(FusedMetadataGpu, RefusesWindowsOfAnotherElementType) {
    FusedCase fused({.read = {.lens = {4}}, .window = 2});
    auto call = fused.call();
    call.windows.stream.type = IndexType::i64;
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
    call = fused.call();
    call.windows.v2p.type = IndexType::i32;
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
    call.windows.indptr = nullptr; // write locations alone
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
}

TEST(FusedMetadataGpu, RefusesAFullStreamWithAWindow) {
    FusedCase fused({.read = {.lens = {4}}});
    auto call = fused.call();
    call.full.window = 2;
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
}

TEST(ReplayGpu, P5AFusedGraphFollowsLengthsIntoEqualSharesAndBack) {
    constexpr std::int64_t kColumns = 400'000;
    FusedCase fused(
        {.read = {.mult = 7, .lens = {kColumns, 5000, 5000, 5000}, .tombstone_percent = 5},
         .window = 512}
    );
    auto mirror = mirror_of(fused);
    const auto call = fused.call();
    const CapturedGraph graph([&](cudaStream_t stream) {
        return cuda::launch(on_device(mirror, call), stream);
    });
    EXPECT_EQ(graph.node_count(), 1U);
    auto* lens = reinterpret_cast<std::int64_t*>(fused.lens.bytes.data());
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 400'000, 3}) {
        lens[0] = length;
        mirror.refresh(fused.lens.bytes);
        graph.replay();
        host::run(call);
        expect_same(mirror, fused.full);
        expect_same(mirror, fused.windows);
    }
}

} // namespace
