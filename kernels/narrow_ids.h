#pragma once

#include "kernels/hd.h"

#include <cstdint>

/// The read formulas of id_math.h in unsigned arithmetic, for the device: `Word` is as wide as the
/// output, and the bits are the same for mult >= 1 (a product of non-negative numbers keeps its low
/// half). A 32-bit stream then costs half the instructions of the 64-bit formulas.
namespace kvprof::kernels {

[[nodiscard]] KVPROF_HD constexpr std::uint32_t
narrow_virtual_page(std::int32_t token, std::uint32_t page_size) {
    return token < 0 ? 0U : static_cast<std::uint32_t>(token) / page_size;
}

template<typename Word, typename Physical>
[[nodiscard]] KVPROF_HD constexpr Word narrow_page_entry(Physical physical_page, Word mult) {
    return static_cast<Word>(physical_page < 0 ? Physical{0} : physical_page) * mult;
}

template<typename Word>
[[nodiscard]] KVPROF_HD constexpr Word
narrow_token_id(Word entry, std::uint32_t position, std::uint32_t page_size) {
    return entry * page_size + position % page_size;
}

} // namespace kvprof::kernels
