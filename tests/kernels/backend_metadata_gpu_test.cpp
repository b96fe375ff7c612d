#include "kernels/cuda/backend_metadata.h"

#include "kernels/host/backend_metadata.h"
#include "tests/kernels/device_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kvprof::kernels::TableSource;
using kvprof::test::CapturedGraph;
using kvprof::test::DeviceMirror;
using kvprof::test::kPoison;
using kvprof::test::MetadataCase;
using kvprof::test::MetadataSpec;
using kvprof::test::mirror_of;
using kvprof::test::on_device;
using kvprof::test::random_metadata_cases;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

void expect_same_outputs(const MetadataCase& metadata, const DeviceMirror& mirror) {
    EXPECT_EQ(mirror.fetched(metadata.cache_seqlens), metadata.cache_seqlens);
    EXPECT_EQ(mirror.fetched(metadata.cu_seqlens_k), metadata.cu_seqlens_k);
    EXPECT_EQ(mirror.fetched(metadata.cu_seqlens_q), metadata.cu_seqlens_q);
    EXPECT_EQ(mirror.fetched(metadata.table), metadata.table);
    EXPECT_EQ(mirror.fetched(metadata.window_table), metadata.window_table);
    EXPECT_EQ(mirror.fetched(metadata.swa_write_loc), metadata.swa_write_loc);
}

void expect_fa_twins_agree(const MetadataSpec& spec) {
    MetadataCase metadata(spec);
    const auto mirror = mirror_of(metadata);
    require_cuda(cuda::launch(on_device(mirror, metadata.fa()), nullptr), "launch fa3's metadata");
    host::run(metadata.fa());
    expect_same_outputs(metadata, mirror);
}

void expect_trtllm_twins_agree(const MetadataSpec& spec) {
    MetadataCase metadata(spec);
    const auto mirror = mirror_of(metadata);
    require_cuda(
        cuda::launch(on_device(mirror, metadata.trtllm()), nullptr), "launch trtllm's metadata"
    );
    host::run(metadata.trtllm());
    expect_same_outputs(metadata, mirror);
}

TEST(FaMetadataGpu, P1EqualsTheHostTwinOn45RandomCases) {
    for (const auto& spec : random_metadata_cases(45)) {
        expect_fa_twins_agree(spec);
    }
}

TEST(TrtllmMetadataGpu, P1EqualsTheHostTwinOn45RandomCases) {
    for (const auto& spec : random_metadata_cases(45)) {
        expect_trtllm_twins_agree(spec);
    }
}

TEST(FaMetadataGpu, P4StopsAtTheWidth) {
    for (const auto source : {TableSource::req_to_token, TableSource::rectangle}) {
        MetadataSpec spec;
        spec.read = {.page_size = 4, .lens = {40, 7, 64}};
        spec.source = source;
        spec.width = 6;
        spec.has_window_table = true;
        expect_fa_twins_agree(spec);
        expect_trtllm_twins_agree(spec);
    }
}

TEST(FaMetadataGpu, P3ScansMoreLanesThanABlockHasThreadsAndCutsLongLanes) {
    for (const auto source : {TableSource::none, TableSource::req_to_token}) {
        MetadataSpec spec;
        spec.read = {.lens = std::vector<std::int64_t>(1500, 3)};
        spec.read.lens[7] = 70000;
        spec.read.lens[1100] = 0;
        spec.source = source;
        spec.delta = 1;
        spec.width = 70;
        expect_fa_twins_agree(spec);
        expect_trtllm_twins_agree(spec);
        spec.read.lens.resize(8);
        spec.width = 0;
        expect_fa_twins_agree(spec);
        expect_trtllm_twins_agree(spec);
    }
}

constexpr std::int64_t kColumns = 4224;

MetadataSpec moved_spec(std::int64_t length, std::uint32_t seed) {
    MetadataSpec spec;
    spec.read = {
        .seed = seed,
        .page_size = 2,
        .lens = {length, length / 2, 0, length},
        .req_columns = kColumns,
        .hole_percent = 5};
    spec.delta = 3;
    spec.width = kColumns / 2;
    spec.has_window_table = true;
    return spec;
}

/// The map and v2p get one size for all lengths, as a captured graph needs.
MetadataCase moved_case(std::int64_t length, std::uint32_t seed) {
    MetadataCase metadata(moved_spec(length, seed));
    metadata.read.v2p.bytes.resize((4 * kColumns + 2) * sizeof(std::int64_t), 0xff);
    metadata.map.bytes.resize((4 * kColumns + 2) * sizeof(std::int64_t), 0);
    return metadata;
}

template<typename Call>
void expect_replays_follow(Call call_of) {
    auto metadata = moved_case(1, 1);
    auto mirror = mirror_of(metadata);
    const auto captured = on_device(mirror, call_of(metadata));
    const CapturedGraph graph([&](cudaStream_t stream) { return cuda::launch(captured, stream); });
    EXPECT_EQ(graph.node_count(), 1U);
    std::uint32_t seed = 2;
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 4200, 3}) {
        // Over the same memory: the mirror knows it by its place.
        const auto moved = moved_case(length, seed++);
        const auto take = [](auto& to, const auto& from) {
            std::copy(from.begin(), from.end(), to.begin());
        };
        take(metadata.read.req_to_token, moved.read.req_to_token);
        take(metadata.read.rows, moved.read.rows);
        take(metadata.read.lens.bytes, moved.read.lens.bytes);
        take(metadata.map.bytes, moved.map.bytes);
        std::fill(metadata.table.begin(), metadata.table.end(), kPoison);
        std::fill(metadata.window_table.begin(), metadata.window_table.end(), kPoison);
        mirror.refresh(metadata.read.req_to_token);
        mirror.refresh(metadata.read.rows);
        mirror.refresh(metadata.read.lens.bytes);
        mirror.refresh(metadata.map.bytes);
        mirror.refresh(metadata.table);
        mirror.refresh(metadata.window_table);
        graph.replay();
        host::run(call_of(metadata));
        expect_same_outputs(metadata, mirror);
    }
}

TEST(ReplayGpu, P5AnFa3MetadataGraphFollowsLengthsAndContents) {
    expect_replays_follow([](MetadataCase& metadata) { return metadata.fa(); });
}

TEST(ReplayGpu, P5ATrtllmMetadataGraphFollowsLengthsAndContents) {
    expect_replays_follow([](MetadataCase& metadata) { return metadata.trtllm(); });
}

TEST(BackendMetadataGpu, LaunchesNothingForAnEmptyBatchAndRefusesAPageSizeBelowOne) {
    EXPECT_EQ(cuda::launch(kvprof::kernels::FaMetadataCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(kvprof::kernels::TrtllmMetadataCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(
        cuda::launch(kvprof::kernels::FaMetadataCall{.page_size = 0, .batch = 1}, nullptr),
        cudaErrorInvalidValue
    );
}

TEST(TrtllmMetadataGpu, AnEmptyBatchStillClearsTheWindowLocations) {
    MetadataSpec spec;
    spec.read.lens = {};
    spec.width = 4;
    expect_trtllm_twins_agree(spec);
}

} // namespace
