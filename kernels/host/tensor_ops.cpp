#include "kernels/host/tensor_ops.h"

#include "kernels/index_access.h"
#include "kernels/tensor_math.h"

#include <algorithm>

namespace kvprof::kernels::host {

void run(const MapCall& call) {
    for (std::int64_t row = 0; row < call.rows; ++row) {
        for (std::int64_t col = 0; col < call.cols; ++col) {
            map_store(call, row, col);
        }
    }
}

void run(const GatherCall& call) {
    for (std::int64_t row = 0; row < call.rows; ++row) {
        for (std::int64_t col = 0; col < call.cols; ++col) {
            const auto index = wrap_index(load_operand(call.index, row, col), call.table_rows);
            store_index(call.out, row * call.cols + col, load_index(call.table, index));
        }
    }
}

void run(const Gather2dCall& call) {
    for (std::int64_t row = 0; row < call.rows; ++row) {
        const std::int32_t* source = call.matrix + call.row_ids[row] * call.matrix_columns;
        for (std::int64_t col = 0; col < call.cols; ++col) {
            call.out[row * call.cols + col] = source[col * call.column_step];
        }
    }
}

void run(const ScatterCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        const auto index = wrap_index(load_index(call.index, i), call.table_rows);
        const bool has_values = call.value.data != nullptr;
        store_index(call.table, index, has_values ? load_index(call.value, i) : call.scalar);
    }
}

void run(const Scatter2dCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        call.matrix[call.row_ids[i] * call.matrix_columns + call.column_ids[i]] =
            static_cast<std::int32_t>(call.value[i]);
    }
}

void run(const CumsumCall& call) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < call.count; ++i) {
        sum += load_index(call.in, i);
        store_index(call.out, i, sum);
    }
}

void run(const ConcatCall& call) {
    std::copy_n(call.first, call.first_count, call.out);
    std::copy_n(call.second, call.second_count, call.out + call.first_count);
}

} // namespace kvprof::kernels::host
