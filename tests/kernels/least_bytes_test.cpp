#include "kernels/least_bytes.h"

#include "tests/kernels/length_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace kvprof {
namespace {

using kernels::IndexType;
using kernels::least_bytes;
using test::LengthBatch;

// Every figure is written out: rows 8, lens 8, indptr 4, starts 8, req_to_token 4 and v2p 4 a page,
// ids 4 or 8 bytes.

kernels::TokenStreamCall stream_of(LengthBatch& batch, std::int64_t page_size) {
    kernels::TokenStreamCall call;
    call.lanes = batch.view(page_size);
    call.indptr = batch.indptr.data();
    call.out = {&batch.element, IndexType::i32};
    call.capacity = batch.indptr.back();
    return call;
}

TEST(LeastBytes, AStreamAtPageSize1MovesTwelveBytesAToken) {
    LengthBatch batch(std::vector<std::int64_t>(64, 8224));
    // 526,336 tokens of 4 + 4 + 4; lanes of 8 (row) + 8 (length) + 4 (indptr).
    EXPECT_EQ(least_bytes(stream_of(batch, 1)), 526'336 * 12 + 64 * 20);
}

TEST(LeastBytes, AWideV2pAndAWideStreamTakeEightBytesEach) {
    LengthBatch batch({100});
    auto call = stream_of(batch, 1);
    call.lanes.v2p.type = IndexType::i64;
    call.out.type = IndexType::i64;
    EXPECT_EQ(least_bytes(call), 100 * (4 + 8 + 8) + 20);
}

TEST(LeastBytes, AStreamReadsOneElementOfEachTableAPage) {
    LengthBatch batch({33, 16});
    // 3 + 1 pages of 16; 49 ids.
    EXPECT_EQ(least_bytes(stream_of(batch, 16)), 4 * 8 + 49 * 4 + 2 * 20);
}

TEST(LeastBytes, AWindowThatBeginsInsideAPageReadsThatPageToo) {
    LengthBatch batch({18});
    batch.starts = {15};
    auto call = stream_of(batch, 16);
    call.starts = batch.begins();
    // Positions 15 .. 32 lie on 3 pages; the start is one more input of the lane.
    EXPECT_EQ(least_bytes(call), 3 * 8 + 18 * 4 + 28);
}

TEST(LeastBytes, AStreamThatDoesNotFitIsCountedToItsEnd) {
    LengthBatch batch({100, 100});
    auto call = stream_of(batch, 1);
    call.capacity = 130;
    EXPECT_EQ(least_bytes(call), 130 * 12 + 40);
}

TEST(LeastBytes, ATableHasOneEntryAPageAndATailOnlyWhenItIsZeroed) {
    LengthBatch batch({33, 0});
    kernels::PageTableCall call;
    call.lanes = batch.view(16);
    call.width = 100;
    EXPECT_EQ(least_bytes(call), 3 * 12 + 2 * 16);
    call.zero_tail = true; // both rows are written whole
    EXPECT_EQ(least_bytes(call), 3 * 8 + 200 * 4 + 2 * 16);
}

TEST(LeastBytes, ARepackReadsItsTableAndNoV2p) {
    LengthBatch batch({33});
    kernels::RepackCall call;
    call.stride = 64;
    call.lens = batch.lengths();
    call.indptr = batch.indptr.data();
    call.out.type = IndexType::i32;
    call.capacity = 33;
    call.page_size = 16;
    call.batch = 1;
    EXPECT_EQ(least_bytes(call), 3 * 4 + 33 * 4 + 12); // no row: lane b has row b
}

TEST(LeastBytes, AStaticGatherCopiesIdsAndAMapAddsItsElement) {
    LengthBatch batch({50});
    kernels::StaticGatherCall call;
    call.req_columns = 1000;
    call.lens = batch.lengths();
    call.indptr = batch.indptr.data();
    call.out.type = IndexType::i32;
    call.capacity = 50;
    call.batch = 1;
    EXPECT_EQ(least_bytes(call), 50 * 8 + 20);
    call.full_to_swa = batch.map();
    EXPECT_EQ(least_bytes(call), 50 * 16 + 20);
}

TEST(LeastBytes, AStaticBlockTableReadsOneTokenAPage) {
    LengthBatch batch({33});
    kernels::StaticBlockTableCall call;
    call.req_columns = 1000;
    call.lens = batch.lengths();
    call.width = 64;
    call.page_size = 16;
    call.batch = 1;
    EXPECT_EQ(least_bytes(call), 3 * 8 + 16);
}

TEST(LeastBytes, TableAndStreamShareWhatTheyRead) {
    LengthBatch batch({33});
    kernels::TableAndStreamCall call;
    call.lanes = batch.view(16);
    call.width = 100;
    call.indptr = batch.indptr.data();
    call.stream.type = IndexType::i32;
    call.capacity = 33;
    EXPECT_EQ(least_bytes(call), 3 * 8 + 3 * 4 + 33 * 4 + 20);
    call.zero_tail = true;
    call.table_rows = 2; // the second row is padding
    EXPECT_EQ(least_bytes(call), 3 * 8 + 200 * 4 + 33 * 4 + 20);
    call.zero_tail = false;
    call.width = 2; // the stream's third page is read for it alone
    EXPECT_EQ(least_bytes(call), 3 * 8 + 2 * 4 + 33 * 4 + 20);
}

TEST(LeastBytes, MetadataOfLanesCountsItsElements) {
    LengthBatch batch({10, 20, 30});
    kernels::IndptrCall indptr{.lens = batch.lengths(), .out = nullptr, .batch = 3};
    EXPECT_EQ(least_bytes(indptr), 3 * 8 + 4 * 4);
    indptr.batch = 0;
    EXPECT_EQ(least_bytes(indptr), 0);
    kernels::KvSplitsCall splits;
    splits.lens = batch.lengths();
    splits.batch = 3;
    EXPECT_EQ(least_bytes(splits), 3 * 12);
    kernels::LocalLensCall local;
    local.lens = batch.lengths();
    local.batch = 3;
    EXPECT_EQ(least_bytes(local), 3 * 12);
    kernels::StateSlotsCall slots;
    slots.v2p = batch.v2p();
    slots.batch = 3;
    EXPECT_EQ(least_bytes(slots), 3 * (8 + 4 + 4 + 4));
    kernels::StateWordsCall words;
    words.batch = 3;
    EXPECT_EQ(least_bytes(words), 3 * (4 + 8 + 8));
    EXPECT_EQ(least_bytes(kernels::DelayCall{.nanoseconds = 1000}), 0);
}

TEST(LeastBytes, TheAllocatorsTablesAreCountedByItem) {
    LengthBatch batch({1});
    kernels::WriteLocCall write;
    write.v2p = batch.v2p();
    write.count = 64;
    write.out_count = 80; // 16 zeroes of the captured tail
    EXPECT_EQ(least_bytes(write), 64 * (8 + 4) + 80 * 8);
    kernels::AllocBindCall alloc;
    alloc.v2p = batch.v2p();
    alloc.count = 10;
    EXPECT_EQ(least_bytes(alloc), 10 * (8 + 4 + 8 + 8));
    kernels::BindCall bind;
    bind.v2p = batch.v2p();
    bind.count = 10;
    EXPECT_EQ(least_bytes(bind), 10 * (8 + 8 + 4 + 8));
    kernels::FreeUnbindCall unbind;
    unbind.v2p = batch.v2p();
    unbind.count = 10; // v2p is read and tombstoned
    EXPECT_EQ(least_bytes(unbind), 10 * (8 + 4 + 4 + 8 + 8));
    kernels::AllocDecodeCall decode;
    decode.batch = 10;
    EXPECT_EQ(least_bytes(decode), 10 * (8 + 8 + 8));
    kernels::AppendCall append;
    append.batch = 10;
    EXPECT_EQ(least_bytes(append), 10 * (8 + 8 + 8 + 4));
}

TEST(LeastBytes, EnvelopesAreReadAndWrittenWhole) {
    LengthBatch batch({1});
    kernels::ZeroPagesCall zero;
    zero.count = 3;
    zero.page_bytes = 4096;
    EXPECT_EQ(least_bytes(zero), 3 * (8 + 4096));
    kernels::CompactMoveCall move;
    move.v2p = batch.v2p();
    move.count = 3;
    move.page_bytes = 4096; // from, to, p2v read once and written twice, v2p
    EXPECT_EQ(least_bytes(move), 3 * (8 + 8 + 24 + 4 + 8192));
    kernels::EnvelopeCopyCall copy;
    copy.count = 3;
    copy.page_bytes = 4096;
    EXPECT_EQ(least_bytes(copy), 3 * (8 + 8192));
}

TEST(LeastBytes, ATensorOperationReadsTheOperandsThatItNames) {
    LengthBatch batch({1});
    kernels::MapCall map;
    map.out.type = IndexType::i32;
    map.rows = 2;
    map.cols = 50;
    map.a.row_stride = 50;
    EXPECT_EQ(least_bytes(map), 100 * (8 + 4)); // copy
    map.op = kernels::MapOp::sum;
    map.b = {nullptr, IndexType::i32, 0, 1}; // one row for all
    EXPECT_EQ(least_bytes(map), 100 * (8 + 4) + 50 * 4);
    map.op = kernels::MapOp::arange;
    EXPECT_EQ(least_bytes(map), 100 * 4);
}

TEST(LeastBytes, AMaskedOperationMovesWhatItsMaskLetsThrough) {
    const std::vector<std::int32_t> mask{1, 0, 1, 0, 1, 0, 0, 0};
    kernels::MapCall map;
    map.out.type = IndexType::i64;
    map.cols = 8;
    map.c = {mask.data(), IndexType::i32, 0, 1};
    map.masked = true;
    EXPECT_EQ(least_bytes(map), 8 * 4 + 3 * (8 + 8));
    map.op = kernels::MapOp::fill;
    EXPECT_EQ(least_bytes(map), 8 * 4 + 3 * 8);
    map.op = kernels::MapOp::select; // 3 of a, 5 of b
    map.b.type = IndexType::i32;
    map.masked = false;
    EXPECT_EQ(least_bytes(map), 8 * 4 + 3 * 8 + 5 * 4 + 8 * 8);
}

TEST(LeastBytes, GathersScansAndListsCountIndexElementAndResult) {
    LengthBatch batch({1});
    kernels::GatherCall gather;
    gather.table.type = IndexType::i32;
    gather.index = {nullptr, IndexType::i64, 10, 1};
    gather.rows = 5;
    gather.cols = 10;
    EXPECT_EQ(least_bytes(gather), 50 * (8 + 4 + 8));
    kernels::Gather2dCall matrix;
    matrix.rows = 5;
    matrix.cols = 10;
    EXPECT_EQ(least_bytes(matrix), 5 * 8 + 50 * (4 + 4));
    kernels::ScatterCall scatter;
    scatter.table.type = IndexType::i32;
    scatter.count = 10;
    EXPECT_EQ(least_bytes(scatter), 10 * (8 + 4)); // a scalar
    scatter.value = batch.map();
    EXPECT_EQ(least_bytes(scatter), 10 * (8 + 8 + 4));
    kernels::Scatter2dCall append;
    append.count = 10;
    EXPECT_EQ(least_bytes(append), 10 * (8 + 8 + 8 + 4));
    kernels::CumsumCall scan;
    scan.out.type = IndexType::i32;
    scan.count = 10;
    EXPECT_EQ(least_bytes(scan), 10 * (8 + 4));
    kernels::ConcatCall concat;
    concat.first_count = 10;
    concat.second_count = 5;
    EXPECT_EQ(least_bytes(concat), 15 * 16);
}

} // namespace
} // namespace kvprof
