#pragma once

#include "kernels/index_types.h"

#include <cstdint>

/// The primitive launches that unfused forms are made of: a framework's tensor operations.
namespace kvprof::kernels {

enum class MapOp : std::uint8_t {
    copy,        ///< a, converted to the output's width
    add,         ///< a + scalar
    sum,         ///< a + b
    page_tokens, ///< a * scalar + column index: the token ids of pages, one row a page
    subtract,    ///< a - b
    multiply,    ///< a * scalar
    floor_div,   ///< a // scalar, rounding down (as a framework does, unlike C)
    remainder,   ///< a mod scalar, sign of the divisor
    clamp_min,   ///< max(a, scalar)
    minimum,     ///< min(a, scalar)
    equal,       ///< a == scalar
    less,        ///< a < scalar
    less_than,   ///< a < b
    select,      ///< c != 0 ? a : b
    arange,      ///< column index + scalar
    ramp,        ///< column index * scalar
    fill         ///< scalar
};

/// A strided 2-D operand: element (r, c) is data[r * row_stride + c * col_stride].
struct Operand {
    const void* data = nullptr;
    IndexType type = IndexType::i64;
    std::int64_t row_stride = 0;
    std::int64_t col_stride = 1;
};

/// Elementwise over [rows, cols]; `masked` writes only where operand c is non-zero.
struct MapCall {
    MapOp op = MapOp::copy;
    Operand a;
    Operand b;
    Operand c;
    std::int64_t scalar = 0;
    MutableIndexArray out;
    std::int64_t out_row_stride = 0;
    std::int64_t rows = 1;
    std::int64_t cols = 0;
    bool masked = false;
};

/// out[r, c] = table[index(r, c)] over a flat table; a negative index counts from the end, once.
struct GatherCall {
    IndexArray table;
    std::int64_t table_rows = 0; ///< elements of the table
    Operand index;               ///< [rows, cols]
    MutableIndexArray out;       ///< [rows, cols], dense
    std::int64_t rows = 1;
    std::int64_t cols = 0;
};

/// out[r * cols + c] = matrix[rows[r]][c * column_step]: a framework's 2-D gather.
struct Gather2dCall {
    const std::int32_t* matrix = nullptr;
    std::int64_t matrix_columns = 0;
    const std::int64_t* row_ids = nullptr;
    std::int64_t column_step = 1;
    std::int32_t* out = nullptr;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

/// table[index[i]] = value[i], or `scalar` where value is null. Negative indices wrap once.
struct ScatterCall {
    MutableIndexArray table;
    std::int64_t table_rows = 0;
    IndexArray index;
    IndexArray value;
    std::int64_t scalar = 0;
    std::int64_t count = 0;
};

/// matrix[row_ids[i]][column_ids[i]] = value[i].
struct Scatter2dCall {
    std::int32_t* matrix = nullptr;
    std::int64_t matrix_columns = 0;
    const std::int64_t* row_ids = nullptr;
    const std::int64_t* column_ids = nullptr;
    const std::int64_t* value = nullptr;
    std::int64_t count = 0;
};

/// Inclusive scan: out[i] = in[0] + ... + in[i].
struct CumsumCall {
    IndexArray in;
    MutableIndexArray out;
    std::int64_t count = 0;
};

/// out = first ++ second (the lists are rebound after a free).
struct ConcatCall {
    const std::int64_t* first = nullptr;
    std::int64_t first_count = 0;
    const std::int64_t* second = nullptr;
    std::int64_t second_count = 0;
    std::int64_t* out = nullptr;
};

} // namespace kvprof::kernels
