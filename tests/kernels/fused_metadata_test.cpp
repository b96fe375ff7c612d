#include "kernels/host/fused_metadata.h"

#include "kernels/fused_rules.h"
#include "kernels/host/metadata.h"
#include "kernels/host/read_index.h"
#include "kernels/host/write_loc.h"
#include "kernels/least_bytes.h"
#include "kernels/live_blocks.h"
#include "tests/kernels/fused_case.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::FusedMetadataCall;
using kvprof::kernels::IndexType;
using kvprof::test::FusedCase;
using kvprof::test::FusedOutputs;
using kvprof::test::kPoison;
using kvprof::test::random_fused_cases;
using kvprof::test::random_lengths;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;

void expect_outputs(const FusedOutputs& actual, const FusedOutputs& expected, std::uint32_t seed) {
    EXPECT_EQ(actual.lens, expected.lens) << "seed " << seed;
    EXPECT_EQ(actual.starts, expected.starts) << "seed " << seed;
    EXPECT_EQ(actual.indptr, expected.indptr) << "seed " << seed;
    EXPECT_EQ(actual.stream.values(), expected.stream.values()) << "seed " << seed;
    EXPECT_EQ(actual.write_loc, expected.write_loc) << "seed " << seed;
}

TEST(FusedMetadata, P2EqualsTheReferenceOn60RandomCasesAndTouchesNothingElse) {
    for (auto& fused : random_fused_cases(60)) {
        host::run(fused.call());
        expect_outputs(fused.full, fused.expected_full(), fused.spec.read.seed);
        expect_outputs(fused.windows, fused.expected_windows(), fused.spec.read.seed);
    }
}

/// Two lanes of 3 and 5 tokens in pages of 2 and a window of 2: ids by hand.
TEST(FusedMetadata, GivesRowStartsStreamWindowsAndWriteLocations) {
    FusedCase fused(
        {.read = {.page_size = 2, .mult = 10, .lens = {3, 5}, .in_order = true},
         .window = 2,
         .locations = 3,
         .cleared = 1,
         .ids = IndexType::i64}
    );
    fused.window_v2p = {{0, 5, -1, 4, 3, 2, -1}, IndexType::i64};
    fused.loc = {2, 9, -1};
    auto call = fused.call();
    std::vector<std::int32_t> full_lens(2);
    call.full.lens = full_lens.data();
    host::run(call);
    EXPECT_THAT(full_lens, ElementsAre(3, 5));
    EXPECT_THAT(fused.full.indptr, ElementsAre(0, 3, 8, kPoison, kPoison));
    EXPECT_THAT( // pages 1, 2 and 3, 4, 5 stay where they are: 20 ids a page
        fused.full.stream.values(),
        ElementsAre(20, 21, 40, 60, 61, 80, 81, 100, kPoison, kPoison)
    );
    EXPECT_THAT(fused.full.write_loc, ElementsAre(20, 81, 0, 0, kPoison, kPoison));
    EXPECT_THAT(fused.windows.lens, ElementsAre(2, 2, kPoison, kPoison));
    EXPECT_THAT(fused.windows.starts, ElementsAre(1, 3, kPoison, kPoison));
    EXPECT_THAT(fused.windows.indptr, ElementsAre(0, 2, 4, kPoison, kPoison));
    // Pages 1, 2 and 4, 5 at 5, nowhere, 3 and 2, with 12 rows a page: 24 ids.
    EXPECT_THAT(fused.windows.stream.values(), ElementsAre(121, 0, 73, 48, kPoison, kPoison));
    EXPECT_THAT(fused.windows.write_loc, ElementsAre(120, 73, 0, 0, kPoison, kPoison));
}

TEST(FusedMetadata, CountsDraftsInReadersLengthsAlone) {
    FusedCase fused({.read = {.mult = 7, .lens = {9, 2}}, .delta = 2, .window = 4});
    EXPECT_THAT(fused.lens.values(), ElementsAre(7, 0));
    host::run(fused.call());
    EXPECT_THAT(fused.full.indptr, ElementsAre(0, 9, 11, kPoison, kPoison));
    EXPECT_THAT(fused.windows.starts, ElementsAre(5, 0, kPoison, kPoison));
}

/// Whatever the batch, and however lengths differ: the launches that it replaces, one by one.
TEST(FusedMetadata, P7EqualsTheLaunchesThatItReplaces) {
    for (const std::int64_t batch : {1, 64, 257, 600}) {
        FusedCase fused({.read = {.mult = 3, .lens = random_lengths(batch, 90, 5)}, .window = 32});
        FusedCase apart(fused);
        host::run(fused.call());
        const auto call = apart.call();
        host::run(kernels::IndptrCall{call.lens, call.full.indptr, batch});
        host::run(kernels::TokenStreamCall{
            .lanes = kernels::lanes_of(call, call.full),
            .starts = {},
            .indptr = call.full.indptr,
            .out = call.full.stream,
            .capacity = call.full.capacity});
        host::run(kernels::write_call(call, call.full));
        expect_outputs(fused.full, apart.full, static_cast<std::uint32_t>(batch));
    }
}

TEST(FusedMetadata, TranslatesLocationsInPlace) {
    FusedCase fused({.read = {.mult = 7, .lens = {40, 40}, .tombstone_percent = 20}, .window = 8});
    const auto expected = fused.expected_full();
    const auto expected_windows = fused.expected_windows();
    std::copy(fused.loc.begin(), fused.loc.end(), fused.full.write_loc.begin());
    auto call = fused.call();
    call.loc = call.full.write_loc;
    host::run(call);
    EXPECT_EQ(fused.full.write_loc, expected.write_loc);
    EXPECT_EQ(fused.windows.write_loc, expected_windows.write_loc);
}

TEST(FusedMetadata, DoesNothingForAnEmptyBatch) {
    FusedCase fused({.read = {.lens = {4}}});
    auto call = fused.call();
    call.batch = 0;
    host::run(call);
    EXPECT_EQ(fused.full.indptr[0], kPoison);
    EXPECT_EQ(kernels::least_bytes(call), 0);
    EXPECT_EQ(kernels::live_blocks(call), 0);
}

/// 64 lanes: 528 / 64 = 8 blocks each, whatever the windows and locations. A pass is 1,024 tokens.
TEST(FusedMetadata, HasTheGridOfTheTokenStreamAlone) {
    FusedCase fused({.read = {.lens = std::vector<std::int64_t>(64, 8224)}, .window = 1024});
    const auto shape = kernels::fused_metadata_shape(fused.call());
    EXPECT_EQ(shape.grid_x, 64);
    EXPECT_EQ(shape.grid_y, 8);
    EXPECT_EQ(shape.threads, 256);
    auto call = fused.call();
    EXPECT_EQ(kernels::window_parts(call), 1);
    call.windows.window = 1025;
    EXPECT_EQ(kernels::window_parts(call), 2);
    call.windows.window = 0; // all tokens
    EXPECT_EQ(kernels::window_parts(call), 8);
    call.windows = {};
    call.out_count = 0;
    EXPECT_EQ(kernels::window_parts(call), 0);
    EXPECT_EQ(kernels::writing_blocks(call), 0);
    EXPECT_EQ(kernels::fused_metadata_shape(call).grid_y, 8);
}

/// Of 8 blocks a lane of 1,024 tokens each: 8,224 tokens keep all; lanes of 100 and of none keep
/// the first, and those of 100 the last one, for their window. The 12 locations are another last
/// one's.
TEST(FusedMetadata, CountsTheBlocksWithWork) {
    std::vector<std::int64_t> lens(64, 100);
    lens[0] = 8224;
    lens[1] = 0;
    FusedCase fused({.read = {.lens = lens}, .window = 128});
    EXPECT_EQ(kernels::live_blocks(fused.call()), 8 + 63 + 62);
    auto call = fused.call();
    call.windows.capacity = 0; // no window has room
    EXPECT_EQ(kernels::live_blocks(call), 8 + 63);
}

/// 98 chunks of 1,024 tokens and one for each of 63 short lanes, for the first blocks of all parts.
TEST(FusedMetadata, CountsTheBlocksOfASkewedBatchInEqualShares) {
    std::vector<std::int64_t> lens(64, 100);
    lens[2] = 100'000;
    FusedCase fused({.read = {.lens = lens}, .locations = 0, .cleared = 0});
    EXPECT_EQ(kernels::live_blocks(fused.call()), 98 + 63);
}

/// A lane's 1,024 tokens that do not begin at a vector's boundary touch 257 vectors.
TEST(FusedMetadata, CountsAWindowsPassForOneVectorMore) {
    FusedCase fused({.read = {.lens = {1, 1024, 9000}}, .window = 2048});
    auto call = fused.call();
    const auto parts = kernels::fused_metadata_shape(call).grid_y;
    EXPECT_EQ(parts, 18); // 9,000 tokens of 512 at least
    // Lane 0: first, last. Lane 1: first, second (257 vectors), last two. Lane 2: 9 passes, last
    // two.
    EXPECT_EQ(kernels::live_blocks(call), 2 + 4 + 11);
}

TEST(FusedMetadata, P18CountsEachInputAndOutputOnce) {
    FusedCase fused({.read = {.page_size = 4, .lens = {10, 3}}, .window = 5, .cleared = 2});
    // 3 + 1 pages: token and row of v2p; the windows' 5 + 3 tokens lie on pages 1, 2 and on 0.
    const std::int64_t inputs = 2 * (8 + 8) + 4 * (4 + 8) + 3 * 8 + 9 * (8 + 8 + 8);
    const std::int64_t full = 3 * 4 + 13 * 4 + 11 * 8;
    const std::int64_t windows = 3 * 4 + 2 * (4 + 4) + 8 * 4 + 11 * 8;
    EXPECT_EQ(kernels::least_bytes(fused.call()), inputs + full + windows);
}

} // namespace
