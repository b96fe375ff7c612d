#include "kernels/host/backend_metadata.h"

#include "kernels/host/read_index.h"
#include "tests/kernels/metadata_case.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using kvprof::kernels::TableSource;
using kvprof::reference::Ids;
using kvprof::test::kPoison;
using kvprof::test::MetadataCase;
using kvprof::test::MetadataSpec;
using kvprof::test::random_metadata_cases;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

/// The first `count` elements, of which one guard follows.
Ids live(const std::vector<std::int32_t>& values, std::size_t count) {
    EXPECT_EQ(values.at(count), kPoison) << "the guard element";
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

TEST(FaMetadata, P1EqualsTheReferenceOn40RandomCasesAndTouchesNothingElse) {
    for (const auto& spec : random_metadata_cases(40)) {
        MetadataCase metadata(spec);
        host::run(metadata.fa());
        const auto batch = metadata.read.rows.size();
        const auto expected = metadata.expected();
        EXPECT_EQ(live(metadata.cache_seqlens, batch), expected.cache_seqlens);
        EXPECT_EQ(live(metadata.cu_seqlens_k, batch + 1), expected.cu_seqlens_k);
        EXPECT_EQ(metadata.table, metadata.expected_table()) << "seed " << spec.read.seed;
        EXPECT_EQ(metadata.window_table, metadata.expected_window_table())
            << "seed " << spec.read.seed;
    }
}

TEST(FaMetadata, P1TakesATokensPageAndItsPlaceInTheWindows) {
    MetadataSpec spec;
    spec.read = {.page_size = 2, .lens = {5}, .req_columns = 6};
    spec.has_window_table = true;
    MetadataCase metadata(spec);
    std::copy_n(
        std::vector<std::int32_t>{6, 7, -1, -1, 4, 5}.begin(),
        6,
        metadata.read.req_to_token.begin() + 6
    );
    metadata.map = {{0, 0, 0, 0, 8, 9, 0, 0, -1}, kvprof::kernels::IndexType::i64};
    host::run(metadata.fa());
    EXPECT_THAT(
        Ids(metadata.table.begin(), metadata.table.begin() + 4), ElementsAre(3, 0, 2, kPoison)
    );
    EXPECT_THAT(
        Ids(metadata.window_table.begin(), metadata.window_table.begin() + 4),
        ElementsAre(0, 0, 4, kPoison)
    );
    EXPECT_EQ(metadata.cu_seqlens_k[1], 5);
}

TEST(FaMetadata, P4StopsAtTheWidthAndNeverSpillsIntoTheNextRow) {
    for (const auto source : {TableSource::req_to_token, TableSource::rectangle}) {
        MetadataSpec spec;
        spec.read = {.page_size = 4, .lens = {40, 7, 64}};
        spec.source = source;
        spec.width = 6;
        spec.has_window_table = true;
        MetadataCase metadata(spec);
        host::run(metadata.fa());
        EXPECT_EQ(metadata.table, metadata.expected_table());
        EXPECT_EQ(metadata.window_table, metadata.expected_window_table());
        EXPECT_EQ(metadata.table[6], kPoison);
    }
}

TEST(FaMetadata, P4AStrideShorterThanTheWidthEndsARow) {
    MetadataSpec spec;
    spec.read = {.lens = {9, 3}};
    MetadataCase metadata(spec);
    auto call = metadata.fa();
    call.stride = 5;
    host::run(call);
    EXPECT_EQ(metadata.table[4], metadata.expected_table()[4]);
    EXPECT_EQ(metadata.table[5], metadata.expected_table()[9 + 2 + 3]);
    EXPECT_EQ(metadata.table[8], kPoison);
}

TEST(FaMetadata, P16FillsEveryColumnBelowTheWidenedLength) {
    MetadataSpec spec;
    spec.read = {.page_size = 4, .lens = {7, 1}, .req_columns = 16};
    spec.delta = 5;
    MetadataCase metadata(spec);
    // Rows hold tokens past the lengths, as after a draft.
    std::fill(metadata.read.req_to_token.begin(), metadata.read.req_to_token.end(), 20);
    host::run(metadata.fa());
    EXPECT_THAT(
        Ids(metadata.table.begin(), metadata.table.begin() + 4), ElementsAre(5, 5, 5, kPoison)
    );
    EXPECT_EQ(metadata.cache_seqlens[0], 12);
    EXPECT_EQ(metadata.table[static_cast<std::size_t>(metadata.stride) + 1], 5);
}

TEST(FaMetadata, P6GivesNoNegativeEntry) {
    MetadataSpec spec;
    spec.read = {.lens = {300, 0, 41}, .hole_percent = 40, .foreign_percent = 20};
    spec.has_window_table = true;
    MetadataCase metadata(spec);
    host::run(metadata.fa());
    EXPECT_EQ(metadata.table, metadata.expected_table());
    for (std::size_t column = 0; column < 300; ++column) {
        EXPECT_GE(metadata.table[column], 0);
        EXPECT_GE(metadata.window_table[column], 0);
    }
}

TEST(FaMetadata, SkipModeLeavesTheTableToThePageTableBoundByItsLengths) {
    MetadataSpec spec;
    spec.read = {.seed = 3, .page_size = 4, .mult = 7, .lens = {13, 30}, .req_columns = 40};
    spec.source = TableSource::none;
    spec.delta = 2;
    MetadataCase metadata(spec);
    host::run(metadata.fa());
    EXPECT_THAT(metadata.table, testing::Each(kPoison));
    kvprof::kernels::PageTableCall fill{
        .lanes = metadata.read.lanes(),
        .out = metadata.table.data(),
        .stride = metadata.stride,
        .width = metadata.width};
    fill.lanes.lens = {metadata.cache_seqlens.data(), kvprof::kernels::IndexType::i32};
    host::run(fill);
    EXPECT_NE(metadata.table[3], kPoison); // 15 tokens
    EXPECT_EQ(metadata.table[4], kPoison);
}

TEST(FaMetadata, WritesNothingForAnEmptyBatch) {
    MetadataCase metadata({.read = {.lens = {}}, .width = 4});
    host::run(metadata.fa());
    EXPECT_THAT(metadata.cu_seqlens_k, testing::Each(kPoison));
}

TEST(TrtllmMetadata, EqualsTheReferenceOn40RandomCases) {
    for (const auto& spec : random_metadata_cases(40)) {
        MetadataCase metadata(spec);
        host::run(metadata.trtllm());
        const auto batch = metadata.read.rows.size();
        const auto expected = metadata.expected();
        EXPECT_EQ(live(metadata.cache_seqlens, batch), expected.cache_seqlens);
        EXPECT_EQ(live(metadata.cu_seqlens_k, batch + 1), expected.cu_seqlens_k);
        EXPECT_EQ(live(metadata.cu_seqlens_q, batch + 1), expected.cu_seqlens_q);
        EXPECT_EQ(metadata.table, metadata.expected_table());
        EXPECT_EQ(metadata.window_table, metadata.expected_window_table());
        auto places =
            reference::window_locations(metadata.loc, metadata.map.values(), metadata.swa_count());
        places.resize(places.size() + 2, kPoison);
        EXPECT_EQ(metadata.swa_write_loc, places) << "seed " << spec.read.seed;
    }
}

TEST(TrtllmMetadata, ANegativeLocationStaysOneAndTheTailIsTheSink) {
    MetadataCase metadata({.read = {.lens = {3}}});
    metadata.map = {{0, 30, 40, -1}, kvprof::kernels::IndexType::i32};
    metadata.loc = {2, -5, 9, 1};
    auto call = metadata.trtllm();
    call.count = 4;
    call.swa_count = 6;
    host::run(call);
    metadata.swa_write_loc.resize(7);
    EXPECT_THAT(metadata.swa_write_loc, ElementsAre(40, -1, 0, 30, 0, 0, kPoison));
}

TEST(TrtllmMetadata, WithoutAMapThereAreNoWindowLocations) {
    MetadataCase metadata({.read = {.lens = {3}}});
    auto call = metadata.trtllm();
    call.full_to_swa = {};
    host::run(call);
    EXPECT_THAT(metadata.swa_write_loc, testing::Each(kPoison));
}

} // namespace
