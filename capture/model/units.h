#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kvprof {

/// A size in bytes; a strong type, so that a token or page count can not be passed for it.
struct Bytes {
    std::int64_t count = 0;

    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        return *this;
    }

    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }

    friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }

    friend constexpr auto operator<=>(Bytes, Bytes) = default;
};

/// "1.00 GiB", "256.0 MiB", "512 B": binary units, fixed digits.
[[nodiscard]] std::string format_bytes(Bytes size);
/// "2.66 us", "12.407 ms", "1.20 s": three to five significant digits, fixed per unit.
[[nodiscard]] std::string format_duration_ns(double nanoseconds);
/// "1,048,576": grouped by thousands.
[[nodiscard]] std::string format_count(std::int64_t value);

/// Reads a whole number with an optional binary suffix Ki, Mi or Gi ("1Mi" is 1,048,576).
/// @throws UsageError naming `what` when the text is anything else or leaves 64 bits.
[[nodiscard]] std::int64_t parse_count(std::string_view text, std::string_view what);
/// Reads a finite decimal number. @throws UsageError naming `what`.
[[nodiscard]] double parse_real(std::string_view text, std::string_view what);

} // namespace kvprof
