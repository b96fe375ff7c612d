#pragma once

#include <array>
#include <cstdint>

namespace kvprof::bench {

/// One batch shape: `batch` lanes of `length` tokens and, unless it is 0, one more of
/// `long_length`; and what the reference implementation (a serving engine's Triton kernels, under
/// graph replay on an H200 with 20 launches per graph) needs for it, in us per launch.
struct IndexShape {
    std::int64_t batch;
    std::int64_t length;
    bool in_order;
    double table_ctx_us;
    double table_bs_us;
    double stream_us;
    double repack_us;
    double table_and_repack_us;
    std::int64_t long_length = 0;

    [[nodiscard]] std::int64_t lanes() const { return batch + (long_length > 0 ? 1 : 0); }

    [[nodiscard]] std::int64_t tokens() const { return batch * length + long_length; }
};

inline constexpr std::array<IndexShape, 18> kIndexShapes{{
    {64, 8224, true, 160.5, 3.17, 2.93, 5.95, 9.69},
    {64, 8224, false, 163.2, 6.07, 5.84, 5.97, 12.37},
    {64, 1024, true, 161.5, 2.13, 2.14, 2.10, 4.14},
    {64, 1024, false, 161.6, 2.64, 2.69, 2.10, 4.62},
    {256, 8224, true, 636.0, 7.26, 6.41, 7.36, 17.92},
    {256, 8224, false, 645.7, 18.48, 17.70, 7.71, 31.26},
    {256, 131072, true, 691.0, 148.1, 140.4, 181.2, 328.2},
    {256, 131072, false, 1341.7, 802.5, 793.7, 181.2, 983.2},
    {1, 8224, true, 4.80, 2.03, 1.97, 5.76, 7.95},
    {1, 8224, false, 4.78, 2.27, 2.20, 5.72, 8.14},
    {8, 8224, true, 22.1, 2.08, 2.04, 5.77, 8.00},
    {8, 8224, false, 22.1, 2.56, 2.57, 5.82, 8.54},
    {64, 131072, true, 175.4, 39.74, 37.55, 145.9, 185.5},
    {64, 131072, false, 273.6, 141.0, 137.8, 145.5, 287.7},
    {256, 1024, true, 633.5, 2.71, 2.58, 2.18, 4.80},
    {256, 1024, false, 636.0, 4.43, 4.20, 2.32, 6.61},
    {1, 131072, true, 4.67, 2.28, 2.23, 65.3, 74.4},
    {1, 131072, false, 4.98, 3.16, 2.99, 65.0, 72.6},
}};

/// The reference was not measured here: it is a row grid.
inline constexpr std::array<IndexShape, 4> kSkewedShapes{{
    {64, 1024, true, 0, 0, 0, 0, 0, 1000000},
    {64, 1024, false, 0, 0, 0, 0, 0, 1000000},
    {256, 1024, true, 0, 0, 0, 0, 0, 131072},
    {256, 1024, false, 0, 0, 0, 0, 0, 131072},
}};

inline constexpr std::int64_t kMostBatch = 257;
inline constexpr std::int64_t kMostLength = 131072;
inline constexpr std::int64_t kTableColumns = 1048576;

} // namespace kvprof::bench
