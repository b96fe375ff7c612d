#include "analyzers/change_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kvprof::analyzers {

namespace {

constexpr double kPercent = 100.0;

/// A number with its sign; what rounds to nothing has a plus.
std::string signed_number(double value, int decimals) {
    std::string text = fmt::format("{:+.{}f}", value, decimals);
    if (text.find_first_of("123456789") == std::string::npos) {
        text[0] = '+';
    }
    return text;
}

/// Hundredths of what has up to two digits in front, none of thousands.
int decimals_of(double magnitude) {
    constexpr double kHundred = 100.0;
    constexpr double kThousand = 1000.0;
    if (magnitude < kHundred) {
        return 2;
    }
    return magnitude < kThousand ? 1 : 0;
}

/// "+1.49 UNIT [+1.41, +1.57]": all three with the same decimals.
std::string with_interval(double value, double low, double high, const char* unit) {
    const int decimals = decimals_of(std::max({std::abs(value), std::abs(low), std::abs(high)}));
    return fmt::format(
        "{} {} [{}, {}]",
        signed_number(value, decimals),
        unit,
        signed_number(low, decimals),
        signed_number(high, decimals)
    );
}

std::string without_interval(double value, const char* unit) {
    return fmt::format(
        "{} {} (no interval)", signed_number(value, decimals_of(std::abs(value))), unit
    );
}

/// "1.50" -> "1.5", "1.00" -> "1".
std::string shortest(std::string number) {
    if (number.find('.') != std::string::npos) {
        number.erase(number.find_last_not_of('0') + 1);
        number.erase(number.find_last_not_of('.') + 1);
    }
    return number;
}

} // namespace

bool has_interval(const SampledTest& test) {
    return std::isfinite(test.low) && std::isfinite(test.high)
           && (!test.is_ratio || test.low > 0.0);
}

std::string change_words(const SampledTest& test, Unit unit) {
    if (test.is_ratio) {
        const auto percent = [](double ratio) { return (ratio - 1.0) * kPercent; };
        return has_interval(test) ? with_interval(
                   percent(test.estimate), percent(test.low), percent(test.high), "%"
               )
                                  : without_interval(percent(test.estimate), "%");
    }
    if (unit == Unit::nanoseconds) {
        Estimate change{test.estimate, std::nullopt};
        if (has_interval(test)) {
            change.interval = Interval{test.low, test.high};
        }
        return time_change_words(change);
    }
    const std::string value = signed_value(unit, test.estimate);
    return has_interval(test) ? fmt::format(
               "{} [{}, {}]", value, signed_value(unit, test.low), signed_value(unit, test.high)
           )
                              : value + " (no interval)";
}

std::string time_change_words(const Estimate& change) {
    constexpr double kNsPerUs = 1e3;
    constexpr double kNsPerMs = 1e6;
    const Interval interval = change.interval.value_or(Interval{change.value, change.value});
    const double most =
        std::max({std::abs(change.value), std::abs(interval.low), std::abs(interval.high)});
    const double scale = most < kNsPerMs ? kNsPerUs : kNsPerMs;
    const char* unit = most < kNsPerMs ? "us" : "ms";
    return change.interval ? with_interval(
               change.value / scale, interval.low / scale, interval.high / scale, unit
           )
                           : without_interval(change.value / scale, unit);
}

std::string signed_time(double ns) {
    constexpr double kNsPerUs = 1e3;
    constexpr double kNsPerMs = 1e6;
    const bool is_long = std::abs(ns) >= kNsPerMs;
    const double value = ns / (is_long ? kNsPerMs : kNsPerUs);
    return signed_number(value, decimals_of(std::abs(value))) + (is_long ? " ms" : " us");
}

std::string signed_value(Unit unit, double value) {
    if (value == 0.0) {
        return "0";
    }
    return (value > 0.0 ? "+" : "-") + format_value(unit, std::abs(value));
}

std::string effect_words(double effect, bool is_ratio, Unit unit) {
    if (!is_ratio) {
        return format_value(unit, effect);
    }
    constexpr double kLeast = 0.01; // per cent; below, hundredths would say nothing
    const double percent = effect * kPercent;
    if (percent > 0.0 && percent < kLeast) {
        return fmt::format("{:.1g} %", percent);
    }
    const int decimals = percent < 10.0 ? 2 : decimals_of(percent * 10.0);
    return shortest(fmt::format("{:.{}f}", percent, decimals)) + " %";
}

std::string limits_words(const Limits& limits, Unit unit) {
    std::vector<std::string> words;
    if (limits.ratio) {
        words.push_back(effect_words(*limits.ratio, true, unit));
    }
    if (limits.absolute) {
        constexpr double kNsPerUs = 1e3;
        const bool is_short = unit == Unit::nanoseconds && *limits.absolute < kNsPerUs;
        words.push_back(
            is_short ? fmt::format("{:g} ns", *limits.absolute) // tables of times begin at 0.01 us
                     : effect_words(*limits.absolute, false, unit)
        );
    }
    if (limits.of_step) {
        words.push_back(effect_words(*limits.of_step, true, unit) + " of the step");
    }
    return fmt::format("{}", fmt::join(words, " and "));
}

std::string p_words(double p) {
    return fmt::format("{:.3g}", p);
}

} // namespace kvprof::analyzers
