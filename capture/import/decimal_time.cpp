#include "capture/import/decimal_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace kvprof::import {

namespace {

constexpr int kKeptDigits = 19;        // a uint64 holds any number of 19 digits
constexpr int kNsDigits = 3;           // of a microsecond
constexpr int kLargestExponent = 9999; // beyond it all is 0 or too large
constexpr auto kPowersOfTen = [] {
    std::array<std::uint64_t, kKeptDigits + 1> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers.at(i) = powers.at(i - 1) * 10;
    }
    return powers;
}();

/// digits * 10^exponent, not negative.
struct Decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

[[nodiscard]] bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/// Takes the digits at the front of the text into the number. @returns whether there were any
bool take_digits(std::string_view& text, bool is_fraction, Decimal& number) {
    std::size_t i = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) {
        if (number.digits < kPowersOfTen[kKeptDigits - 1]) {
            number.digits = number.digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
            number.exponent -= is_fraction ? 1 : 0;
        } else {
            number.exponent += is_fraction ? 0 : 1;
        }
    }
    text.remove_prefix(i);
    return i > 0;
}

/// Takes "e+5" at the front of the text. @returns nothing when it is no exponent
std::optional<int> take_exponent(std::string_view& text) {
    if (text.empty() || (text.front() != 'e' && text.front() != 'E')) {
        return text.empty() ? std::optional(0) : std::nullopt;
    }
    text.remove_prefix(1);
    const bool is_negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        text.remove_prefix(1);
    }
    if (text.empty()) {
        return std::nullopt;
    }
    int exponent = 0;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
        exponent = std::min(exponent * 10 + (text.front() - '0'), kLargestExponent);
    }
    return is_negative ? -exponent : exponent;
}

/// The number in its next whole unit, or nothing when it does not fit.
std::optional<std::uint64_t> whole(Decimal number) {
    if (number.digits == 0) {
        return 0;
    }
    if (number.exponent >= 0) {
        if (number.exponent > kKeptDigits) {
            return std::nullopt;
        }
        const std::uint64_t factor = kPowersOfTen[static_cast<std::size_t>(number.exponent)];
        if (number.digits > std::numeric_limits<std::uint64_t>::max() / factor) {
            return std::nullopt;
        }
        return number.digits * factor;
    }
    if (-number.exponent > kKeptDigits) {
        return 0;
    }
    const std::uint64_t divisor = kPowersOfTen[static_cast<std::size_t>(-number.exponent)];
    const std::uint64_t rest = number.digits % divisor;
    return number.digits / divisor + (rest >= divisor - rest ? 1U : 0U);
}

} // namespace

DecimalTime parse_microseconds(std::string_view text) noexcept {
    if (!text.empty() && !is_digit(text.front()) && is_word_for_no_number(text)) {
        return {.fault = TimeFault::not_finite};
    }
    const bool is_negative = !text.empty() && text.front() == '-';
    text.remove_prefix(is_negative ? 1 : 0);
    Decimal number;
    bool has_digits = take_digits(text, false, number);
    if (has_digits && !text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        has_digits = take_digits(text, true, number);
    }
    const std::optional<int> exponent = take_exponent(text);
    if (!has_digits || !exponent || !text.empty()) {
        return {.fault = TimeFault::not_a_number};
    }
    number.exponent += *exponent + kNsDigits;
    const std::optional<std::uint64_t> ns = whole(number);
    if (!ns || *ns > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return {.fault = is_negative ? TimeFault::too_small : TimeFault::too_large};
    }
    const auto value = static_cast<std::int64_t>(*ns);
    return {.ns = is_negative ? -value : value};
}

std::optional<std::uint64_t> parse_id(std::string_view text) noexcept {
    std::uint64_t id = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, id);
    if (text.empty() || error != std::errc{} || stop != end) {
        return std::nullopt;
    }
    return id;
}

bool is_word_for_no_number(std::string_view text) noexcept {
    if (!text.empty() && text.front() == '-') {
        text.remove_prefix(1);
    }
    constexpr std::array<std::string_view, 9> words = {
        "NaN", "nan", "nan(ind)", "nan(snan)", "Infinity", "inf", "Inf", "INF", "N/A"};
    return std::find(words.begin(), words.end(), text) != words.end();
}

} // namespace kvprof::import
