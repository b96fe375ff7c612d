#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kvprof::import {

enum class TimeFault : std::uint8_t {
    none,
    not_a_number,
    not_finite, ///< a word for it: NaN, inf, -Infinity, N/A
    too_large,  ///< beyond what int64 ns holds
    too_small   ///< the same below 0
};

struct DecimalTime {
    std::int64_t ns = 0;
    TimeFault fault = TimeFault::none;
};

/// Reads microseconds as JSON writes numbers ("17.25", "2.5e3") as whole nanoseconds. What is finer
/// is rounded, a half away from 0. No floating point and no locale has a part in it.
[[nodiscard]] DecimalTime parse_microseconds(std::string_view text) noexcept;

/// An id of digits alone, up to 2^64 - 1; nothing for any other text.
[[nodiscard]] std::optional<std::uint64_t> parse_id(std::string_view text) noexcept;

/// "NaN", "-Infinity", "inf", "N/A": what printf and Python write where there is no number.
[[nodiscard]] bool is_word_for_no_number(std::string_view text) noexcept;

} // namespace kvprof::import
