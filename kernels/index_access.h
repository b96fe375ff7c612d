#pragma once

#include "kernels/calls.h"
#include "kernels/hd.h"

#include <cstdint>

/// Element access to index arrays of either width. Arithmetic is always 64 bits wide; a store into
/// an i32 array keeps the low 32 bits.
namespace kvprof::kernels {

[[nodiscard]] KVPROF_HD inline std::int64_t
load_index(const void* data, IndexType type, std::int64_t element) {
    return type == IndexType::i32 ? static_cast<const std::int32_t*>(data)[element]
                                  : static_cast<const std::int64_t*>(data)[element];
}

[[nodiscard]] KVPROF_HD inline std::int64_t
load_index(const IndexArray& array, std::int64_t element) {
    return load_index(array.data, array.type, element);
}

KVPROF_HD inline void
store_index(const MutableIndexArray& array, std::int64_t element, std::int64_t value) {
    if (array.type == IndexType::i32) {
        static_cast<std::int32_t*>(array.data)[element] = static_cast<std::int32_t>(value);
    } else {
        static_cast<std::int64_t*>(array.data)[element] = value;
    }
}

/// Element (row, col) of a strided operand.
[[nodiscard]] KVPROF_HD inline std::int64_t
load_operand(const Operand& operand, std::int64_t row, std::int64_t col) {
    return load_index(
        operand.data, operand.type, row * operand.row_stride + col * operand.col_stride
    );
}

} // namespace kvprof::kernels
