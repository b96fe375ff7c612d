#include "kernels/call_name.h"
#include "kernels/cuda/launch.h"
#include "kernels/host/run.h"
#include "tests/support/device_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

namespace kvprof {
namespace {

using kernels::IndexType;
using kernels::MapOp;
using test::DeviceVector;
using test::require_cuda;

std::vector<std::int64_t> random_values(std::int64_t count, std::int64_t low, std::int64_t high) {
    static std::mt19937_64 generator(11); // NOLINT(cert-msc51-cpp): repeatable
    std::uniform_int_distribution<std::int64_t> values(low, high);
    std::vector<std::int64_t> out(static_cast<std::size_t>(count));
    std::generate(out.begin(), out.end(), [&] { return values(generator); });
    return out;
}

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& values) {
    return {values.begin(), values.end()};
}

void launch(const kernels::KernelCall& call) {
    require_cuda(kernels::cuda::launch(call, nullptr), "launch a tensor operation");
}

struct Shape {
    std::int64_t rows;
    std::int64_t cols;
};

class MapOnDevice : public testing::TestWithParam<MapOp> {};

TEST_P(MapOnDevice, EqualsTheHostTwin) {
    for (const auto [rows, cols] : {Shape{1, 1}, {1, 70000}, {37, 5}, {70000, 1}, {3, 1300}}) {
        for (const std::int64_t scalar : {4, -3}) {
            const auto a = random_values(rows * cols, -50, 50);
            const auto b = random_values(rows, -50, 50);
            const auto c = random_values(rows * cols, 0, 1);
            std::vector<std::int32_t> expected(static_cast<std::size_t>(rows * cols), 99);
            const DeviceVector device_a(a);
            const DeviceVector device_b(narrow(b));
            const DeviceVector device_c(c);
            const DeviceVector device_out(expected);
            const std::vector<std::int32_t> narrow_b = narrow(b);

            kernels::MapCall call;
            call.op = GetParam();
            call.scalar = scalar;
            call.a = {a.data(), IndexType::i64, cols, 1};
            call.b = {narrow_b.data(), IndexType::i32, 1, 0};
            call.c = {c.data(), IndexType::i64, cols, 1};
            call.out = {expected.data(), IndexType::i32};
            call.out_row_stride = cols;
            call.rows = rows;
            call.cols = cols;
            call.masked = scalar < 0;
            kernels::host::run(call);
            call.a.data = device_a.data();
            call.b.data = device_b.data();
            call.c.data = device_c.data();
            call.out.data = device_out.data();
            launch(call);
            ASSERT_EQ(device_out.host(), expected) << rows << " x " << cols << ", " << scalar;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    EveryOperation,
    MapOnDevice,
    testing::Values(
        MapOp::copy,
        MapOp::add,
        MapOp::sum,
        MapOp::page_tokens,
        MapOp::subtract,
        MapOp::multiply,
        MapOp::floor_div,
        MapOp::remainder,
        MapOp::clamp_min,
        MapOp::minimum,
        MapOp::equal,
        MapOp::less,
        MapOp::less_than,
        MapOp::select,
        MapOp::arange,
        MapOp::ramp,
        MapOp::fill
    ),
    [](const auto& test) {
        kernels::MapCall call;
        call.op = test.param;
        return std::string(kernels::name_of(call));
    }
);

TEST(MapOnDevice, WorksInPlace) {
    const DeviceVector values(random_values(5000, -9, 9));
    const auto before = values.host();
    kernels::MapCall call;
    call.op = MapOp::add;
    call.scalar = 3;
    call.cols = 5000;
    call.a.data = values.data();
    call.out.data = values.data();
    launch(call);
    auto expected = before;
    std::for_each(expected.begin(), expected.end(), [](std::int64_t& value) { value += 3; });
    EXPECT_EQ(values.host(), expected);
}

TEST(GatherOnDevice, EqualsTheHostTwin) {
    for (const auto [rows, cols] : {Shape{1, 5000}, {200, 3}, {1, 1}}) {
        const auto table = random_values(1000, -5, 1 << 20);
        const auto index = random_values(rows * cols, -1000, 999);
        std::vector<std::int32_t> expected(index.size());
        const DeviceVector device_table(table);
        const DeviceVector device_index(index);
        const DeviceVector device_out(expected);
        kernels::GatherCall call;
        call.table.data = table.data();
        call.table_rows = 1000;
        call.index = {index.data(), IndexType::i64, cols, 1};
        call.out = {expected.data(), IndexType::i32};
        call.rows = rows;
        call.cols = cols;
        kernels::host::run(call);
        call.table.data = device_table.data();
        call.index.data = device_index.data();
        call.out.data = device_out.data();
        launch(call);
        EXPECT_EQ(device_out.host(), expected);
    }
}

TEST(Gather2dOnDevice, EqualsTheHostTwin) {
    const auto matrix = narrow(random_values(40 * 3000, -1, 1 << 30));
    const auto rows = random_values(300, 0, 39);
    std::vector<std::int32_t> expected(300 * 187);
    const DeviceVector device_matrix(matrix);
    const DeviceVector device_rows(rows);
    const DeviceVector device_out(expected);
    kernels::Gather2dCall call{matrix.data(), 3000, rows.data(), 16, expected.data(), 300, 187};
    kernels::host::run(call);
    call.matrix = device_matrix.data();
    call.row_ids = device_rows.data();
    call.out = device_out.data();
    launch(call);
    EXPECT_EQ(device_out.host(), expected);
}

TEST(ScatterOnDevice, EqualsTheHostTwin) {
    for (const bool has_values : {true, false}) {
        std::vector<std::int64_t> index(2000);
        std::iota(index.begin(), index.end(), -1000);
        std::shuffle(index.begin(), index.end(), std::mt19937(5)); // NOLINT(cert-msc51-cpp)
        index.resize(1500);
        const auto value = random_values(1500, -9, 9);
        std::vector<std::int64_t> table(2000, 77);
        const DeviceVector device_index(index);
        const DeviceVector device_value(value);
        const DeviceVector device_table(table);
        kernels::ScatterCall call;
        call.table.data = table.data();
        call.table_rows = 2000;
        call.index = {index.data()};
        call.value.data = has_values ? value.data() : nullptr;
        call.scalar = -1;
        call.count = 1500;
        kernels::host::run(call);
        call.table.data = device_table.data();
        call.index.data = device_index.data();
        call.value.data = has_values ? device_value.data() : nullptr;
        launch(call);
        EXPECT_EQ(device_table.host(), table);
    }
}

TEST(Scatter2dOnDevice, EqualsTheHostTwin) {
    std::vector<std::int64_t> rows(300);
    std::iota(rows.begin(), rows.end(), 0);
    const auto columns = random_values(300, 0, 49);
    const auto value = random_values(300, 0, 1 << 30);
    std::vector<std::int32_t> matrix(300 * 50, -1);
    const DeviceVector device_rows(rows);
    const DeviceVector device_columns(columns);
    const DeviceVector device_value(value);
    const DeviceVector device_matrix(matrix);
    kernels::Scatter2dCall call{matrix.data(), 50, rows.data(), columns.data(), value.data(), 300};
    kernels::host::run(call);
    call.matrix = device_matrix.data();
    call.row_ids = device_rows.data();
    call.column_ids = device_columns.data();
    call.value = device_value.data();
    launch(call);
    EXPECT_EQ(device_matrix.host(), matrix);
}

TEST(CumsumOnDevice, EqualsTheHostTwinAcrossTiles) {
    for (const std::int64_t count : {1, 31, 33, 1024, 1025, 4096, 5001}) {
        const auto in = narrow(random_values(count, 0, 100000));
        std::vector<std::int64_t> expected(in.size() + 1, 77);
        const DeviceVector device_in(in);
        const DeviceVector device_out(expected);
        kernels::CumsumCall call{{in.data(), IndexType::i32}, {expected.data()}, count};
        kernels::host::run(call);
        call.in.data = device_in.data();
        call.out.data = device_out.data();
        launch(call);
        EXPECT_EQ(device_out.host(), expected) << count;
    }
}

TEST(ConcatOnDevice, EqualsTheHostTwin) {
    for (const std::int64_t first_count : {0, 1, 3000}) {
        const auto first = random_values(first_count, -9, 9);
        const auto second = random_values(777, -9, 9);
        std::vector<std::int64_t> expected(first.size() + second.size());
        const DeviceVector device_first(first);
        const DeviceVector device_second(second);
        const DeviceVector device_out(expected);
        kernels::ConcatCall call{first.data(), first_count, second.data(), 777, expected.data()};
        kernels::host::run(call);
        call.first = device_first.data();
        call.second = device_second.data();
        call.out = device_out.data();
        launch(call);
        EXPECT_EQ(device_out.host(), expected);
    }
}

} // namespace
} // namespace kvprof
