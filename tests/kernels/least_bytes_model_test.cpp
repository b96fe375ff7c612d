#include "kernels/least_bytes.h"
#include "tests/kernels/length_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace kvprof {
namespace {

using kernels::IndexType;
using kernels::least_bytes;
using test::LengthBatch;

/// Two planes of one MHA layer, or the one of an MLA layer.
kernels::KvLayer layer_of(std::vector<std::uint8_t>& pool, bool is_mla) {
    kernels::KvLayer layer;
    layer.k = pool.data();
    layer.v = is_mla ? pool.data() : pool.data() + 1;
    return layer;
}

TEST(LeastBytes, AttentionReadsKAndVOfEveryTokenAndWritesItsPartials) {
    LengthBatch batch({1000, 24});
    std::vector<std::uint8_t> pool(2);
    kernels::AttentionCall call;
    call.layer = layer_of(pool, false);
    call.heads = {.query_heads = 32, .kv_heads = 8, .dim_k = 128, .dim_v = 128};
    call.stream = {&batch.element, IndexType::i32};
    call.indptr = batch.indptr.data();
    call.lens = batch.lengths();
    call.batch = 2;
    call.splits = 4;
    // A token: K and V of 8 x 128 bf16, an id of 4. A lane: length 8, owner 8, indptr 4. Partials
    // of 129 floats a lane, head and split.
    EXPECT_EQ(least_bytes(call), 1024 * (4096 + 4) + 2 * 20 + 2 * 32 * 4 * 129 * 4);
    const kernels::AttentionCombineCall combine{
        .partial = nullptr, .heads = call.heads, .batch = 2, .splits = 4, .out = nullptr};
    EXPECT_EQ(least_bytes(combine), 2 * 32 * 4 * 129 * 4 + 2 * 32 * 128 * 4);
}

TEST(LeastBytes, TheValuesOfMlaLieInItsKeys) {
    LengthBatch batch({1000});
    std::vector<std::uint8_t> pool(2);
    kernels::AttentionCall call;
    call.layer = layer_of(pool, true);
    call.heads = {.query_heads = 16, .kv_heads = 1, .dim_k = 576, .dim_v = 512};
    call.table = &batch.element;
    call.page_size = 64;
    call.lens = batch.lengths();
    call.batch = 1;
    // 1,000 rows of 576 bf16, 16 table entries; no place in a stream.
    EXPECT_EQ(least_bytes(call), 1000 * 1152 + 16 * 4 + 16 + 16 * 513 * 4);
    call.window = 100; // positions 900 .. 999 lie on two pages
    EXPECT_EQ(least_bytes(call), 100 * 1152 + 2 * 4 + 16 + 16 * 513 * 4);
}

TEST(LeastBytes, RowsOfKAndVAreWrittenOnceAToken) {
    LengthBatch batch({33});
    std::vector<std::uint8_t> pool(2);
    kernels::KvWriteCall write;
    write.layer = layer_of(pool, false);
    write.heads = {.query_heads = 32, .kv_heads = 8, .dim_k = 128, .dim_v = 64};
    write.bucket = 16;
    EXPECT_EQ(least_bytes(write), 16 * (8 + 8 + 8 + 2048 + 1024));
    kernels::KvFillCall fill;
    fill.layer = layer_of(pool, true);
    fill.heads = {.query_heads = 16, .kv_heads = 1, .dim_k = 576, .dim_v = 512};
    fill.lanes = batch.view(16);
    // 32 positions on two pages: row, length, owner, tables, rows.
    EXPECT_EQ(least_bytes(fill), 8 + 8 + 8 + 2 * 8 + 32 * 1152);
}

kernels::FaMetadataCall fa_metadata(const LengthBatch& batch) {
    kernels::FaMetadataCall call;
    call.lens = batch.lengths();
    call.batch = batch.size();
    call.stride = 1000;
    call.width = 1000;
    call.req_columns = 1000;
    return call;
}

TEST(LeastBytes, Fa3MetadataReadsReqToTokenOnceForBothTables) {
    LengthBatch batch({100, 100});
    auto call = fa_metadata(batch);
    EXPECT_EQ(least_bytes(call), 2 * (8 + 4 + 4) + 4); // the skip mode
    call.source = kernels::TableSource::req_to_token;
    call.table.out = &batch.element;
    EXPECT_EQ(least_bytes(call), 2 * (8 + 4 + 4 + 8) + 4 + 200 * (4 + 4));
    call.window_table.out = &batch.element;
    call.window_table.full_to_swa = batch.map();
    EXPECT_EQ(least_bytes(call), 2 * (8 + 4 + 4 + 8) + 4 + 200 * (4 + 4 + 8 + 4));
}

TEST(LeastBytes, TrtllmMetadataAddsQueryStartsAndWindowLocations) {
    LengthBatch batch({100, 100});
    kernels::TrtllmMetadataCall call;
    call.lanes = fa_metadata(batch);
    call.cu_seqlens_q = &batch.element;
    call.full_to_swa = batch.map();
    call.count = 2;
    call.swa_count = 5; // three zeroes
    EXPECT_EQ(least_bytes(call), 2 * 16 + 4 + 3 * 4 + 5 * 8 + 2 * (8 + 8));
}

TEST(LeastBytes, ContextParallelReadsCountLocalTokens) {
    LengthBatch batch({50, 14});
    kernels::DcpGatherCall gather;
    gather.req_columns = 1000;
    gather.local_lens = batch.lengths();
    gather.indptr = batch.indptr.data();
    gather.out.type = IndexType::i32;
    gather.capacity = 64;
    gather.dcp = 4;
    gather.batch = 2;
    EXPECT_EQ(least_bytes(gather), 64 * 8 + 2 * 20);
    kernels::StreamTranslateCall translate;
    translate.indptr = batch.indptr.data();
    translate.ids.type = IndexType::i32;
    translate.capacity = 64;
    translate.v2p = batch.v2p();
    translate.page_size = 16;
    translate.batch = 2; // 4 + 1 pages; ids are read and written
    EXPECT_EQ(least_bytes(translate), 4 + 64 * 8 + 5 * 4);
}

} // namespace
} // namespace kvprof
