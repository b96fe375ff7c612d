#include "kernels/host/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

/// The chains of framework operations that each fused kernel replaces (domain: one launch instead
/// of several) compute the same values.
namespace kvprof {
namespace {

using kernels::MapOp;
using testing::ElementsAre;

using Values = std::vector<std::int64_t>;

Values
map(MapOp op, const Values& a, std::int64_t scalar, const Values& b = {}, const Values& c = {}) {
    Values out(a.size());
    kernels::MapCall call;
    call.op = op;
    call.a.data = a.data();
    call.b.data = b.data();
    call.c.data = c.data();
    call.scalar = scalar;
    call.out.data = out.data();
    call.cols = static_cast<std::int64_t>(a.size());
    kernels::host::run(call);
    return out;
}

Values gather(const Values& table, const Values& index) {
    Values out(index.size());
    kernels::GatherCall call;
    call.table.data = table.data();
    call.table_rows = static_cast<std::int64_t>(table.size());
    call.index.data = index.data();
    call.out.data = out.data();
    call.cols = static_cast<std::int64_t>(index.size());
    kernels::host::run(call);
    return out;
}

void scatter(Values& table, const Values& index, const Values& value) {
    kernels::ScatterCall call;
    call.table.data = table.data();
    call.table_rows = static_cast<std::int64_t>(table.size());
    call.index.data = index.data();
    call.value.data = value.data();
    call.count = static_cast<std::int64_t>(index.size());
    kernels::host::run(call);
}

kernels::V2p view(Values& v2p) {
    return {v2p.data(), kernels::IndexType::i64, static_cast<std::int64_t>(v2p.size())};
}

struct PoolGeometry {
    std::int64_t mult;
    std::int64_t page_size;
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
};

Values fused_write_loc(const Values& loc, Values v2p, const PoolGeometry& pool) {
    Values out(loc.size());
    kernels::WriteLocCall call;
    call.loc = loc.data();
    call.v2p = view(v2p);
    call.mult = pool.mult;
    call.page_size = pool.page_size;
    call.count = static_cast<std::int64_t>(loc.size());
    call.out = out.data();
    call.out_count = call.count;
    call.dcp = pool.dcp;
    call.rank = pool.rank;
    kernels::host::run(call);
    return out;
}

/// floordiv, remainder, take, mul, add, clamp.
Values unfused_write_loc(const Values& loc, const Values& v2p, const PoolGeometry& pool) {
    const auto page = map(MapOp::floor_div, loc, pool.page_size);
    const auto offset = map(MapOp::remainder, loc, pool.page_size);
    const auto physical = gather(v2p, page);
    const auto base = map(MapOp::multiply, physical, pool.mult * pool.page_size);
    return map(MapOp::clamp_min, map(MapOp::sum, base, 0, offset), 0);
}

/// Virtual pages 0..4; 2 is a tombstone; the last row is the sentinel.
const Values kV2p{0, 7, -1, 3, 5, -1};

TEST(UnfusedWriteLoc, EqualsTheFusedKernelForBoundIds) {
    const Values loc{4, 7, 12, 15, 16, 19, 0, 3};
    EXPECT_EQ(unfused_write_loc(loc, kV2p, {3, 4}), fused_write_loc(loc, kV2p, {3, 4}));
    EXPECT_THAT(fused_write_loc({4, 7}, kV2p, {3, 4}), ElementsAre(84, 87));
}

TEST(UnfusedWriteLoc, EqualsTheFusedKernelForTombstonesAndNegatives) {
    const Values loc{8, 9, 11, -1, -4};
    for (const PoolGeometry pool : {PoolGeometry{3, 4}, {1, 4}}) {
        EXPECT_THAT(unfused_write_loc(loc, kV2p, pool), testing::Each(0));
        EXPECT_THAT(fused_write_loc(loc, kV2p, pool), testing::Each(0));
    }
}

TEST(UnfusedWriteLoc, EqualsTheFusedKernelAtPageSizeOne) {
    const Values loc{1, 2, 4, -1};
    const auto scaled = map(MapOp::multiply, gather(kV2p, loc), 7); // index, mul, clamp
    EXPECT_EQ(map(MapOp::clamp_min, scaled, 0), fused_write_loc(loc, kV2p, {7, 1}));
}

TEST(UnfusedWriteLoc, EqualsTheFusedKernelForWidenedIds) {
    const PoolGeometry pool{3, 4, 2, 1};
    const Values loc{9, 8, 15, 30, 31, 17}; // the odd ones belong to rank 1
    const auto is_owned = map(MapOp::equal, map(MapOp::remainder, loc, 2), 1);
    const auto local = map(MapOp::floor_div, loc, 2);
    const auto translated = unfused_write_loc(local, kV2p, pool);
    const auto out = map(MapOp::select, translated, 0, Values(6, 0), is_owned);
    EXPECT_EQ(out, fused_write_loc(loc, kV2p, pool));
}

class UnfusedBinding : public testing::Test {
  protected:
    Values v2p{0, -1, 6, -1, 4, -1};
    Values p2v{0, -1, -1, -1, 4, -1, 2, -1};
    Values fused_v2p = v2p;
    Values fused_p2v = p2v;
};

TEST_F(UnfusedBinding, TwoScattersBind) {
    const Values vpages{3, 1};
    const Values ppages{1, 5};
    scatter(v2p, vpages, ppages);
    scatter(p2v, ppages, vpages);
    kernels::host::run(kernels::BindCall{
        vpages.data(), ppages.data(), 2, view(fused_v2p), fused_p2v.data()});
    EXPECT_EQ(fused_v2p, v2p);
    EXPECT_EQ(fused_p2v, p2v);
}

TEST_F(UnfusedBinding, ARangeAndTwoScattersAllocate) {
    const Values vpages{3, 1};
    const auto ppages = map(MapOp::arange, vpages, 2);
    scatter(v2p, vpages, ppages);
    scatter(p2v, ppages, vpages);
    Values out(2);
    kernels::host::run(kernels::AllocBindCall{
        vpages.data(), 2, 2, view(fused_v2p), fused_p2v.data(), out.data()});
    EXPECT_EQ(out, ppages);
    EXPECT_EQ(fused_v2p, v2p);
    EXPECT_EQ(fused_p2v, p2v);
}

TEST_F(UnfusedBinding, AGatherAndTwoFillsFree) {
    const Values vpages{4, 1, 2}; // 1 is not bound: its -1 lands on the sentinel row
    const Values minus_one(3, -1);
    const auto ppages = gather(v2p, vpages);
    scatter(v2p, vpages, minus_one);
    scatter(p2v, ppages, minus_one);
    Values out(3);
    kernels::host::run(kernels::FreeUnbindCall{
        vpages.data(), 3, view(fused_v2p), fused_p2v.data(), out.data()});
    EXPECT_EQ(out, ppages);
    EXPECT_EQ(fused_v2p, v2p);
    EXPECT_EQ(fused_p2v, p2v);
}

TEST(UnfusedIndptr, ACumsumAndACopyEqualTheFusedKernel) {
    const Values lens{3, 0, 5};
    Values sums(3);
    kernels::host::run(kernels::CumsumCall{{lens.data()}, {sums.data()}, 3});
    std::vector<std::int32_t> indptr{0, -1, -1, -1};
    kernels::MapCall copy;
    copy.a.data = sums.data();
    copy.out = {indptr.data() + 1, kernels::IndexType::i32};
    copy.cols = 3;
    kernels::host::run(copy);
    std::vector<std::int32_t> fused(4, -1);
    kernels::host::run(kernels::IndptrCall{{lens.data()}, fused.data(), 3});
    EXPECT_EQ(indptr, fused);
    EXPECT_THAT(fused, ElementsAre(0, 3, 3, 8));
}

TEST(UnfusedAppend, ASubtractionAndAScatterEqualTheFusedKernel) {
    const Values rows{1, 0};
    const Values lens{3, 1};
    const Values ids{40, 41};
    std::vector<std::int32_t> matrix(6, -1);
    auto fused = matrix;
    const auto columns = map(MapOp::add, lens, -1);
    kernels::host::run(kernels::Scatter2dCall{
        matrix.data(), 3, rows.data(), columns.data(), ids.data(), 2});
    kernels::host::run(kernels::AppendCall{fused.data(), 3, rows.data(), lens.data(), ids.data(), 2}
    );
    EXPECT_EQ(fused, matrix);
}

} // namespace
} // namespace kvprof
