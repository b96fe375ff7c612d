#include "capture/model/units.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace kvprof {

std::string format_bytes(Bytes size) {
    const double value = static_cast<double>(size.count);
    const double magnitude = std::abs(value);
    constexpr double kKi = 1024.0;
    if (magnitude >= kKi * kKi * kKi) {
        return fmt::format("{:.2f} GiB", value / (kKi * kKi * kKi));
    }
    if (magnitude >= kKi * kKi) {
        return fmt::format("{:.1f} MiB", value / (kKi * kKi));
    }
    if (magnitude >= kKi) {
        return fmt::format("{:.1f} KiB", value / kKi);
    }
    return fmt::format("{} B", size.count);
}

std::string format_duration_ns(double nanoseconds) {
    const double magnitude = std::abs(nanoseconds);
    if (magnitude >= 1e9) {
        return fmt::format("{:.2f} s", nanoseconds / 1e9);
    }
    if (magnitude >= 1e6) {
        return fmt::format("{:.3f} ms", nanoseconds / 1e6);
    }
    return fmt::format("{:.2f} us", nanoseconds / 1e3);
}

std::string format_count(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
        digits.insert(i - 3, ",");
    }
    return digits;
}

namespace {

[[noreturn]] void
refuse(std::string_view text, std::string_view what, std::string_view wanted, const char* hint) {
    throw UsageError(fmt::format("could not read {}: \"{}\" is not {}", what, text, wanted), hint);
}

[[noreturn]] void refuse_count(std::string_view text, std::string_view what) {
    refuse(text, what, "a whole number of at most 64 bits", "write it like 64, 1048576 or 1Mi");
}

} // namespace

std::int64_t parse_count(std::string_view text, std::string_view what) {
    constexpr std::array kSuffixes{
        std::pair{std::string_view("Ki"), std::int64_t{1} << 10},
        std::pair{std::string_view("Mi"), std::int64_t{1} << 20},
        std::pair{std::string_view("Gi"), std::int64_t{1} << 30}};
    std::string_view digits = text;
    std::int64_t factor = 1;
    for (const auto& [suffix, scale] : kSuffixes) {
        if (digits.ends_with(suffix)) {
            digits.remove_suffix(suffix.size());
            factor = scale;
        }
    }
    std::int64_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || end != digits.data() + digits.size()) {
        refuse_count(text, what);
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (value > kMost / factor || value < -(kMost / factor)) {
        refuse_count(text, what);
    }
    return value * factor;
}

double parse_real(std::string_view text, std::string_view what) {
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
        refuse(text, what, "a finite number", "write it like 0.25, 1 or 1e-3");
    }
    return value + 0.0; // -0 becomes 0: they are one value and may not be stored as two
}

} // namespace kvprof
