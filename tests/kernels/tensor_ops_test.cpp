#include "kernels/host/tensor_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace kvprof {
namespace {

using kernels::IndexType;
using kernels::MapCall;
using kernels::MapOp;
using testing::ElementsAre;

using Values = std::vector<std::int64_t>;

/// Runs one operation over rows of the operands it is given.
struct Map {
    MapOp op;
    Values a;
    Values b;
    Values c;
    std::int64_t scalar = 0;

    [[nodiscard]] Values run() const {
        Values out(a.size());
        MapCall call;
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
};

Values map(MapOp op, const Values& a, std::int64_t scalar) {
    return Map{op, a, {}, {}, scalar}.run();
}

Values map(MapOp op, const Values& a, const Values& b) {
    return Map{op, a, b, {}}.run();
}

TEST(Map, AddsSubtractsAndMultiplies) {
    EXPECT_THAT(map(MapOp::add, {-1, 0, 5}, 3), ElementsAre(2, 3, 8));
    EXPECT_THAT(map(MapOp::sum, {-1, 5}, {10, -7}), ElementsAre(9, -2));
    EXPECT_THAT(map(MapOp::subtract, {-1, 5}, {10, -7}), ElementsAre(-11, 12));
    EXPECT_THAT(map(MapOp::multiply, {-1, 0, 5}, 7), ElementsAre(-7, 0, 35));
}

TEST(Map, DividesTowardsMinusInfinity) {
    EXPECT_THAT(map(MapOp::floor_div, {7, 8, -1, -4, -5}, 4), ElementsAre(1, 2, -1, -1, -2));
    EXPECT_THAT(map(MapOp::floor_div, {7, 8, -1, -4}, -4), ElementsAre(-2, -2, 0, 1));
}

TEST(Map, TakesRemaindersWithTheSignOfTheDivisor) {
    EXPECT_THAT(map(MapOp::remainder, {7, 8, -1, -4, -5}, 4), ElementsAre(3, 0, 3, 0, 3));
    EXPECT_THAT(map(MapOp::remainder, {7, 8, -1, -4}, -4), ElementsAre(-1, 0, -1, 0));
}

TEST(Map, ClampsFromBelowAndAbove) {
    EXPECT_THAT(map(MapOp::clamp_min, {-2, 0, 2}, 0), ElementsAre(0, 0, 2));
    EXPECT_THAT(map(MapOp::minimum, {-2, 0, 2}, 1), ElementsAre(-2, 0, 1));
}

TEST(Map, ComparesToOneAndZero) {
    EXPECT_THAT(map(MapOp::equal, {-1, 0, 1}, -1), ElementsAre(1, 0, 0));
    EXPECT_THAT(map(MapOp::less, {-1, 0, 1}, 0), ElementsAre(1, 0, 0));
    EXPECT_THAT(map(MapOp::less_than, {-1, 2, 5}, {0, 2, 4}), ElementsAre(1, 0, 0));
}

TEST(Map, SelectsByTheThirdOperand) {
    EXPECT_THAT((Map{MapOp::select, {1, 2, 3}, {7, 8, 9}, {0, 1, -1}}.run()), ElementsAre(7, 2, 3));
}

TEST(Map, FillsAndCountsColumns) {
    EXPECT_THAT(map(MapOp::fill, {0, 0}, -9), ElementsAre(-9, -9));
    EXPECT_THAT(map(MapOp::arange, {9, 9, 9}, 0), ElementsAre(0, 1, 2));
}

TEST(Map, ListsTheTokensOfPagesOneRowAPage) {
    const Values pages{5, 2};
    Values out(6);
    MapCall call;
    call.op = MapOp::page_tokens;
    call.a = {pages.data(), IndexType::i64, 1, 0};
    call.scalar = 3;
    call.out.data = out.data();
    call.out_row_stride = 3;
    call.rows = 2;
    call.cols = 3;
    kernels::host::run(call);
    EXPECT_THAT(out, ElementsAre(15, 16, 17, 6, 7, 8));
}

TEST(Map, CopiesBetweenWidthsAndStrides) {
    const std::vector<std::int32_t> in{-1, 9, 2, 9}; // every other one, two rows
    Values out(6, 77);
    MapCall call;
    call.a = {in.data(), IndexType::i32, 2, 2};
    call.out.data = out.data();
    call.out_row_stride = 3;
    call.rows = 2;
    call.cols = 1;
    kernels::host::run(call);
    EXPECT_THAT(out, ElementsAre(-1, 77, 77, 2, 77, 77));
}

TEST(Map, LeavesMaskedElementsAlone) {
    const Values mask{1, 0, 1};
    Values out{4, 5, 6};
    MapCall call;
    call.op = MapOp::fill;
    call.c.data = mask.data();
    call.out.data = out.data();
    call.cols = 3;
    call.masked = true;
    kernels::host::run(call);
    EXPECT_THAT(out, ElementsAre(0, 5, 0));
}

TEST(Map, WorksInPlace) {
    Values values{-5, 6};
    MapCall call;
    call.op = MapOp::floor_div;
    call.scalar = 4;
    call.a.data = values.data();
    call.out.data = values.data();
    call.cols = 2;
    kernels::host::run(call);
    EXPECT_THAT(values, ElementsAre(-2, 1));
}

TEST(Gather, CountsNegativeIndicesFromTheEnd) {
    const Values table{10, 11, 12};
    const Values index{0, 2, -1, -3};
    std::vector<std::int32_t> out(4);
    kernels::GatherCall call;
    call.table.data = table.data();
    call.table_rows = 3;
    call.index.data = index.data();
    call.out = {out.data(), IndexType::i32};
    call.cols = 4;
    kernels::host::run(call);
    EXPECT_THAT(out, ElementsAre(10, 12, 12, 10));
}

TEST(Gather2d, TakesEveryStepthColumnOfTheNamedRows) {
    const std::vector<std::int32_t> matrix{0, 1, 2, 3, 10, 11, 12, 13};
    const Values rows{1, 0};
    std::vector<std::int32_t> out(4);
    kernels::host::run(kernels::Gather2dCall{matrix.data(), 4, rows.data(), 2, out.data(), 2, 2});
    EXPECT_THAT(out, ElementsAre(10, 12, 0, 2));
}

TEST(Scatter, WritesValuesOrTheScalar) {
    std::vector<std::int32_t> table(4, 7);
    const Values index{-1, 0};
    const Values value{5, 6};
    kernels::ScatterCall call;
    call.table = {table.data(), IndexType::i32};
    call.table_rows = 4;
    call.index.data = index.data();
    call.value.data = value.data();
    call.count = 2;
    kernels::host::run(call);
    EXPECT_THAT(table, ElementsAre(6, 7, 7, 5));
    call.value.data = nullptr;
    call.scalar = -1;
    kernels::host::run(call);
    EXPECT_THAT(table, ElementsAre(-1, 7, 7, -1));
}

TEST(Scatter2d, WritesOneElementARow) {
    std::vector<std::int32_t> matrix(6, -1);
    const Values rows{1, 0};
    const Values columns{2, 0};
    const Values value{8, 9};
    kernels::host::run(kernels::Scatter2dCall{
        matrix.data(), 3, rows.data(), columns.data(), value.data(), 2});
    EXPECT_THAT(matrix, ElementsAre(9, -1, -1, -1, -1, 8));
}

TEST(Cumsum, SumsInPlace) {
    Values values{3, 0, 4, -1};
    kernels::host::run(kernels::CumsumCall{{values.data()}, {values.data()}, 4});
    EXPECT_THAT(values, ElementsAre(3, 3, 7, 6));
}

TEST(Concat, AppendsTheSecondList) {
    const Values first{1, 2};
    const Values second{3};
    Values out(3);
    kernels::host::run(kernels::ConcatCall{first.data(), 2, second.data(), 1, out.data()});
    EXPECT_THAT(out, ElementsAre(1, 2, 3));
    kernels::host::run(kernels::ConcatCall{nullptr, 0, second.data(), 1, out.data()});
    EXPECT_THAT(out, ElementsAre(3, 2, 3));
}

} // namespace
} // namespace kvprof
