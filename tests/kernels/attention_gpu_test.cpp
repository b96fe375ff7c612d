#include "kernels/cuda/launch.h"
#include "kernels/launch_geometry_attention.h"
#include "tests/kernels/attention_case.h"
#include "tests/support/device_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kvprof {
namespace {

using test::AttentionCase;
using test::AttentionCaseSpec;
using test::DeviceVector;
using test::require_cuda;

// bf16 weights of V: half a unit in the 8th bit, averaged over tokens.
constexpr double kTolerance = 1e-2;

/// The device's copy of a case.
class DeviceCase {
  public:
    explicit DeviceCase(const AttentionCase& host)
        : lens_(host.lens),
          owners_(host.owners),
          table_(host.table),
          indptr_(host.indptr),
          stream_(host.stream),
          k_(host.k),
          v_(host.v),
          partial_(host.partial),
          out_(host.out) {}

    /// The same calls over this copy's memory.
    [[nodiscard]] kernels::AttentionCall on_device(kernels::AttentionCall call) const {
        const bool is_mla = call.layer.v == call.layer.k;
        call.layer.k = k_.data();
        call.layer.v = is_mla ? k_.data() : v_.data();
        call.lens.data = lens_.data();
        call.owners = owners_.data();
        call.partial = partial_.data();
        if (call.table != nullptr) {
            call.table = table_.data();
        } else {
            call.stream.data = stream_.data();
            call.indptr = indptr_.data();
        }
        return call;
    }

    [[nodiscard]] kernels::AttentionCombineCall on_device(kernels::AttentionCombineCall call
    ) const {
        call.partial = partial_.data();
        call.out = out_.data();
        return call;
    }

    void set_lens(const std::vector<std::int64_t>& lens) { lens_.assign(lens); }

    [[nodiscard]] std::vector<float> out() const { return out_.host(); }

  private:
    DeviceVector<std::int64_t> lens_;
    DeviceVector<std::int64_t> owners_;
    DeviceVector<std::int32_t> table_;
    DeviceVector<std::int32_t> indptr_;
    DeviceVector<std::int32_t> stream_;
    DeviceVector<std::uint8_t> k_;
    DeviceVector<std::uint8_t> v_;
    DeviceVector<float> partial_;
    DeviceVector<float> out_;
};

std::vector<float> device_result(AttentionCase& host, const kernels::AttentionCall& call) {
    const DeviceCase device(host);
    require_cuda(kernels::cuda::launch(device.on_device(call), nullptr), "launch attention");
    require_cuda(
        kernels::cuda::launch(device.on_device(host.combine()), nullptr), "launch the combine"
    );
    return device.out();
}

/// Every lane and the first, a middle and the last head against double precision.
void expect_near_reference(const AttentionCase& host, const std::vector<float>& out) {
    const auto& heads = host.spec.heads;
    for (std::size_t lane = 0; lane < host.lens.size(); ++lane) {
        for (const auto head : {std::int64_t{0}, heads.query_heads / 2, heads.query_heads - 1}) {
            const auto row = static_cast<std::int64_t>(lane) * heads.query_heads + head;
            const auto expected = host.reference(static_cast<std::int64_t>(lane), head);
            EXPECT_LT(test::relative_error(out.data() + row * heads.dim_v, expected), kTolerance)
                << "length " << host.lens[lane] << ", head " << head;
        }
    }
}

struct NamedHeads {
    const char* name;
    kernels::HeadShape heads;
    bool is_mla;
};

class AttentionOnDevice : public testing::TestWithParam<NamedHeads> {
  protected:
    [[nodiscard]] static AttentionCaseSpec
    spec(std::vector<std::int64_t> lens, std::int64_t splits) {
        const NamedHeads& heads = GetParam();
        return {heads.heads, heads.is_mla, std::move(lens), 16, splits};
    }
};

TEST_P(AttentionOnDevice, StaysNearDoublePrecisionOverAStream) {
    for (const std::int64_t splits : {1, 7, 24}) { // with 24, narrow heads go by warps
        AttentionCase host(spec({1, 2, 63, 64, 1000, 0}, splits));
        expect_near_reference(host, device_result(host, host.over_stream()));
    }
}

TEST_P(AttentionOnDevice, ReadsTheSameThroughATable) {
    for (const std::int64_t splits : {5, 24}) {
        AttentionCase host(spec({1, 2, 63, 64, 400, 0}, splits));
        const auto over_stream = device_result(host, host.over_stream());
        EXPECT_EQ(device_result(host, host.over_table()), over_stream);
    }
}

TEST_P(AttentionOnDevice, GivesTheOnlyTokensVExactly) {
    AttentionCase host(spec({1}, 128));
    const auto out = device_result(host, host.over_stream());
    EXPECT_EQ(test::relative_error(out.data(), host.reference(0, 0)), 0.0);
}

TEST_P(AttentionOnDevice, FollowsLengthsThatMoveBetweenReplays) {
    AttentionCase host(spec({300, 40, 129}, 4));
    DeviceCase device(host);
    const test::CapturedGraph graph([&](cudaStream_t cuda_stream) {
        const auto read = kernels::cuda::launch(device.on_device(host.over_stream()), cuda_stream);
        const auto merged = kernels::cuda::launch(device.on_device(host.combine()), cuda_stream);
        return read == cudaSuccess ? merged : read;
    });
    EXPECT_EQ(graph.node_count(), 2U);
    for (const auto& lens : {std::vector<std::int64_t>{300, 40, 129}, {33, 0, 128}, {1, 32, 5}}) {
        host.lens = lens;
        device.set_lens(lens);
        graph.replay();
        expect_near_reference(host, device.out());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Heads,
    AttentionOnDevice,
    testing::Values(
        NamedHeads{"mla_1", {1, 1, 576, 512}, true},
        NamedHeads{"mla_16", {16, 1, 576, 512}, true},
        NamedHeads{"mla_32", {32, 1, 576, 512}, true},
        NamedHeads{"mla_40_in_two_blocks", {40, 1, 576, 512}, true},
        NamedHeads{"mla_20", {20, 1, 576, 512}, true},
        NamedHeads{"mla_17_all_of_k", {17, 1, 576, 576}, true},
        // Other widths of MLA go by blocks everywhere: 16 and 32 heads a block.
        NamedHeads{"mla_9_x560", {9, 1, 560, 512}, true},
        NamedHeads{"mla_20_x560", {20, 1, 560, 512}, true},
        NamedHeads{"mla_3_narrow", {3, 1, 40, 32}, true},
        NamedHeads{"two_576", {2, 1, 576, 576}, false},
        NamedHeads{"gqa_64_1_x128", {64, 1, 128, 128}, false},
        NamedHeads{"gqa_20_1_x64", {20, 1, 64, 64}, false},
        NamedHeads{"gqa_40_8_x64", {40, 8, 64, 64}, false},
        NamedHeads{"gqa_24_4_x96_x128", {24, 4, 96, 128}, false},
        NamedHeads{"gqa_64_4_x128", {64, 4, 128, 128}, false},
        NamedHeads{"gqa_32_8_x128", {32, 8, 128, 128}, false},
        NamedHeads{"gqa_32_1_x256", {32, 1, 256, 256}, false},
        NamedHeads{"gqa_8_1_x512", {8, 1, 512, 512}, false},
        NamedHeads{"gqa_12_4_x80", {12, 4, 80, 80}, false},
        NamedHeads{"mha_4_x64", {4, 4, 64, 64}, false},
        NamedHeads{"mha_2_unaligned", {2, 2, 37, 21}, false}
    ),
    [](const auto& test) { return std::string(test.param.name); }
);

TEST_P(AttentionOnDevice, P15AWindowOverATableReadsItsLastPositionsAlone) {
    AttentionCase host(spec({1, 63, 64, 65, 1000, 0}, 5));
    auto call = host.over_table();
    call.window = 64;
    const auto out = device_result(host, call);
    const auto& heads = host.spec.heads;
    for (std::size_t lane = 0; lane < host.lens.size(); ++lane) {
        const auto start = std::max<std::int64_t>(host.lens[lane] - 64, 0);
        const auto expected = host.reference(static_cast<std::int64_t>(lane), 0, start);
        const auto row = static_cast<std::int64_t>(lane) * heads.query_heads;
        EXPECT_LT(test::relative_error(out.data() + row * heads.dim_v, expected), kTolerance);
    }
}

TEST_P(AttentionOnDevice, P21IdsThatCountTokensReadTheSameRows) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        auto dense = spec({1, 2, 63, 400, 0}, 5);
        dense.page_size = page_size;
        auto spread = dense;
        spread.page_gap = 3 * page_size;
        AttentionCase dense_host(dense);
        AttentionCase spread_host(spread);
        const auto expected = device_result(dense_host, dense_host.over_stream());
        EXPECT_EQ(device_result(spread_host, spread_host.over_stream()), expected);
        EXPECT_EQ(device_result(spread_host, spread_host.over_table()), expected);
    }
}

// 16 lanes of 8 KV heads and 4 splits are 512 warps, each with 16 tiles of 16 tokens and three
// stages.
TEST(AttentionKernel, StaysNearDoublePrecisionInLongSplitsByWarps) {
    AttentionCase host({{32, 8, 128, 128}, false, std::vector<std::int64_t>(16, 1000), 1, 4});
    host.lens[3] = 0;
    host.lens[5] = 17;
    expect_near_reference(host, device_result(host, host.over_stream()));
}

// Rows ask for ids eight tiles of 32 tokens at a time: two and a half such windows.
TEST(AttentionKernel, StaysNearDoublePrecisionInLongSplitsByBlocks) {
    AttentionCase host({{32, 1, 560, 512}, true, {8 * 32 * 5 / 2 + 7, 8 * 32, 8 * 32 + 1}, 1, 1});
    expect_near_reference(host, device_result(host, host.over_stream()));
    expect_near_reference(host, device_result(host, host.over_table()));
}

// On Hopper a tile is 64 tokens, in two stages, and ids are asked for two tiles at a time.
TEST(AttentionKernel, StaysNearDoublePrecisionInLongSplitsByWarpgroups) {
    for (const std::int64_t query_heads : {16, 20, 32}) {
        AttentionCase host(
            {{query_heads, 1, 576, 512},
             true,
             {8224, 64 * 2 - 1, 64 * 4 + 1, 64 * 6, 64 * 7 - 1, 2},
             1,
             2}
        );
        expect_near_reference(host, device_result(host, host.over_stream()));
        host = AttentionCase({{query_heads, 1, 576, 512}, true, {64 * 5, 64 * 3 - 1, 65}, 1, 1});
        expect_near_reference(host, device_result(host, host.over_table()));
    }
}

// Rows that no 16-byte copy can reach: the widths of a warpgroup, by blocks everywhere.
TEST(AttentionKernel, StaysNearDoublePrecisionOverAnUnalignedPool) {
    for (const std::int64_t query_heads : {16, 32}) {
        AttentionCase host({{query_heads, 1, 576, 512}, true, {1, 300, 64, 0}, 1, 2});
        std::vector<std::uint8_t> shifted(8);
        shifted.insert(shifted.end(), host.k.begin(), host.k.end());
        const DeviceVector<std::uint8_t> pool(shifted);
        const DeviceCase device(host);
        auto call = device.on_device(host.over_stream());
        call.layer.k = pool.data() + 8;
        call.layer.v = call.layer.k;
        require_cuda(kernels::cuda::launch(call, nullptr), "launch attention");
        require_cuda(kernels::cuda::launch(device.on_device(host.combine()), nullptr), "combine");
        expect_near_reference(host, device.out());
    }
}

TEST(AttentionKernel, ReadsAStreamOfWideIds) {
    AttentionCase host({{4, 2, 64, 64}, false, {5, 70}, 1, 2});
    const auto narrow = device_result(host, host.over_stream());
    const DeviceVector wide(std::vector<std::int64_t>(host.stream.begin(), host.stream.end()));
    const DeviceCase device(host);
    auto call = device.on_device(host.over_stream());
    call.stream = {wide.data(), kernels::IndexType::i64};
    require_cuda(kernels::cuda::launch(call, nullptr), "launch attention");
    require_cuda(kernels::cuda::launch(device.on_device(host.combine()), nullptr), "combine");
    EXPECT_EQ(device.out(), narrow);
}

TEST(AttentionKernel, SeesOneWrongId) {
    AttentionCase host({{16, 1, 576, 512}, true, {50}, 1, 1});
    const auto right = device_result(host, host.over_stream());
    std::swap(host.stream[10], host.stream[20]); // a different order of the same tokens
    const auto reordered = device_result(host, host.over_stream());
    EXPECT_LT(test::relative_error(reordered.data(), host.reference(0, 0)), kTolerance);
    host.stream[10] = 0; // the sink
    const auto wrong = device_result(host, host.over_stream());
    EXPECT_GT(
        test::relative_error(wrong.data(), std::vector<double>(right.begin(), right.begin() + 512)),
        kTolerance
    );
}

TEST(AttentionKernel, RefusesHeadsThatItCannotServe) {
    AttentionCase host({{4, 2, 64, 64}, false, {5}, 1, 2});
    auto call = host.over_stream();
    call.heads.query_heads = 5;
    EXPECT_EQ(kernels::cuda::launch(call, nullptr), cudaErrorInvalidValue);
    call.heads = {4, 2, 64, 64};
    call.layer.page_pitch = call.layer.row_bytes + 2; // no whole rows
    EXPECT_EQ(kernels::cuda::launch(call, nullptr), cudaErrorInvalidValue);
    call.layer.page_pitch = 0;
    call.heads = {4, 2, 584, 64};
    EXPECT_EQ(kernels::cuda::launch(call, nullptr), cudaErrorInvalidValue);
}

TEST(CombineOnDevice, EqualsTheHostTwinForEveryNumberOfSplits) {
    for (const std::int64_t splits : {1, 4, 33, 128}) {
        AttentionCase host({{3, 1, 64, 40}, false, {200, 0, 7}, 1, splits});
        const auto expected = host.host_result(host.over_stream()); // fills the partials too
        const DeviceCase device(host);
        require_cuda(kernels::cuda::launch(device.on_device(host.combine()), nullptr), "combine");
        EXPECT_THAT(device.out(), testing::Pointwise(testing::FloatNear(1e-5F), expected));
    }
}

} // namespace
} // namespace kvprof
