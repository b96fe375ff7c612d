#pragma once

#include "kernels/calls.h"
#include "kernels/hd.h"
#include "kernels/index_access.h"

#include <cstdint>

/// What one element of a tensor operation computes, as a framework defines it.
namespace kvprof::kernels {

/// a // divisor, rounding down: -1 // 4 is -1, where C gives 0.
[[nodiscard]] KVPROF_HD constexpr std::int64_t floor_div(std::int64_t a, std::int64_t divisor) {
    const std::int64_t quotient = a / divisor;
    const bool is_rounded_up = a % divisor != 0 && (a < 0) != (divisor < 0);
    return is_rounded_up ? quotient - 1 : quotient;
}

/// a mod divisor with the sign of the divisor: -1 mod 4 is 3, where C gives -1.
[[nodiscard]] KVPROF_HD constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t divisor) {
    const std::int64_t rest = a % divisor;
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}

/// A negative index counts once from the end of `rows` elements.
[[nodiscard]] KVPROF_HD constexpr std::int64_t wrap_index(std::int64_t index, std::int64_t rows) {
    return index < 0 ? index + rows : index;
}

/// Element (row, col) of a map. Only the operands that the operation names are read.
[[nodiscard]] KVPROF_HD inline std::int64_t
map_element(const MapCall& call, std::int64_t row, std::int64_t col) {
    const auto a = [&] { return load_operand(call.a, row, col); };
    const auto b = [&] { return load_operand(call.b, row, col); };
    const auto c = [&] { return load_operand(call.c, row, col); };
    const std::int64_t scalar = call.scalar;
    switch (call.op) {
    case MapOp::copy: return a();
    case MapOp::add: return a() + scalar;
    case MapOp::sum: return a() + b();
    case MapOp::page_tokens: return a() * scalar + col;
    case MapOp::subtract: return a() - b();
    case MapOp::multiply: return a() * scalar;
    case MapOp::floor_div: return floor_div(a(), scalar);
    case MapOp::remainder: return floor_mod(a(), scalar);
    case MapOp::clamp_min: return a() > scalar ? a() : scalar;
    case MapOp::minimum: return a() < scalar ? a() : scalar;
    case MapOp::equal: return a() == scalar ? 1 : 0;
    case MapOp::less: return a() < scalar ? 1 : 0;
    case MapOp::less_than: return a() < b() ? 1 : 0;
    case MapOp::select: return c() != 0 ? a() : b();
    case MapOp::arange: return col + scalar;
    case MapOp::ramp: return col * scalar;
    case MapOp::fill: return scalar;
    }
    return 0;
}

/// Computes element (row, col) and writes it, unless the call is masked and its mask is zero there.
KVPROF_HD inline void map_store(const MapCall& call, std::int64_t row, std::int64_t col) {
    if (call.masked && load_operand(call.c, row, col) == 0) {
        return;
    }
    store_index(call.out, row * call.out_row_stride + col, map_element(call, row, col));
}

} // namespace kvprof::kernels
