#include "analyzers/limit_text.h"

#include "capture/model/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace kvprof::analyzers {

namespace {

constexpr double kMostPercent = 1000.0;

struct UnitWord {
    std::string_view word;
    Unit unit;
    double factor; ///< to the metric's own unit
};

constexpr std::array kWords{
    UnitWord{"ns", Unit::nanoseconds, 1.0},
    UnitWord{"us", Unit::nanoseconds, 1e3},
    UnitWord{"ms", Unit::nanoseconds, 1e6},
    UnitWord{"s", Unit::nanoseconds, 1e9},
    UnitWord{"B", Unit::bytes, 1.0},
    UnitWord{"KiB", Unit::bytes, 1024.0},
    UnitWord{"MiB", Unit::bytes, 1024.0 * 1024.0},
    UnitWord{"GiB", Unit::bytes, 1024.0 * 1024.0 * 1024.0}};

std::string_view without_spaces_before(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// The words that fit a figure of a metric.
std::vector<std::string_view> units_for(const MetricDef& metric) {
    std::vector<std::string_view> words;
    for (const UnitWord& one : kWords) {
        if (one.unit == metric.unit) {
            words.push_back(one.word);
        }
    }
    words.emplace_back("%");
    return words;
}

/// The words that fit a limit of it.
std::vector<std::string_view> words_for(const MetricDef& metric) {
    std::vector<std::string_view> words = units_for(metric);
    if (metric.unit == Unit::nanoseconds) {
        words.emplace_back("% of step");
    }
    return words;
}

std::string unknown_unit(
    std::string_view unit, const MetricDef& metric, const std::vector<std::string_view>& words
) {
    const std::string_view close = nearest(unit, words);
    return fmt::format(
        "\"{}\" is no unit of {}; it has {}{}",
        unit,
        metric.id,
        fmt::join(words, ", "),
        close.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", close)
    );
}

std::string wrong_unit(
    std::string_view text,
    std::string_view unit,
    const MetricDef& metric,
    const std::vector<std::string_view>& words
) {
    return unit.empty() ? fmt::format("\"{}\" needs a unit: {}", text, fmt::join(words, ", "))
                        : unknown_unit(unit, metric, words);
}

/// By what a number in this unit is multiplied to be in the metric's; nothing when it is another's.
std::optional<double> factor_of(std::string_view unit, const MetricDef& metric) {
    const bool has_no_unit = metric.unit == Unit::count || metric.unit == Unit::ratio;
    if (unit.empty() && has_no_unit) {
        return 1.0;
    }
    for (const UnitWord& one : kWords) {
        if (one.word == unit && one.unit == metric.unit) {
            return one.factor;
        }
    }
    return std::nullopt;
}

/// The limit that the unit speaks of, and by what its number is multiplied.
struct Target {
    std::optional<double>* limit = nullptr;
    double factor = 1.0;
};

Target target_of(std::string_view unit, const MetricDef& metric, Limits& limits) {
    if (unit == "%") {
        return {&limits.ratio, 0.01};
    }
    if (unit.starts_with('%') && without_spaces_before(unit.substr(1)) == "of step"
        && metric.unit == Unit::nanoseconds) {
        return {&limits.of_step, 0.01};
    }
    const std::optional<double> factor = factor_of(unit, metric);
    return factor ? Target{&limits.absolute, *factor} : Target{};
}

/// A number without a sign, and what follows it.
struct Parsed {
    std::optional<double> number;
    std::string_view unit;
};

Parsed parsed(std::string_view start) {
    double number = 0.0;
    const auto [end, failure] = std::from_chars(start.data(), start.data() + start.size(), number);
    if (failure != std::errc{} || !std::isfinite(number) || number < 0.0) {
        return {};
    }
    const std::string_view unit =
        without_spaces_before(start.substr(static_cast<std::size_t>(end - start.data())));
    return {number, unit.substr(0, unit.find_last_not_of(' ') + 1)};
}

/// "65,536 B" -> "65536 B": commas go where three digits follow, and no fourth.
std::string without_commas(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789";
    constexpr std::size_t kGroup = 3;
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t next = std::min(text.find_first_not_of(kDigits, i + 1), text.size());
        const bool is_separator = text[i] == ',' && i > 0
                                  && kDigits.find(text[i - 1]) != std::string_view::npos
                                  && next - i - 1 == kGroup;
        if (!is_separator) {
            kept += text[i];
        }
    }
    return kept;
}

} // namespace

std::string read_limit(std::string_view text, const MetricDef& metric, Limits& limits) {
    const std::string_view start = without_spaces_before(text);
    const auto [parsed_number, unit] = parsed(start);
    if (!parsed_number) {
        return fmt::format("\"{}\" does not begin with a number that is 0 or more", text);
    }
    const double number = *parsed_number;
    const Target target = target_of(unit, metric, limits);
    if (target.limit == nullptr) {
        return wrong_unit(text, unit, metric, words_for(metric));
    }
    if (unit.starts_with('%') && number > kMostPercent) {
        return fmt::format("\"{}\" is over {} %", text, kMostPercent);
    }
    if (number == 0.0 && metric.kind == MetricKind::sampled) {
        return fmt::format(
            "\"{}\": {} varies from run to run, so a limit of 0 could never hold", text, metric.id
        );
    }
    if (target.limit->has_value()) {
        return fmt::format("\"{}\" is a second limit of the same kind", text);
    }
    *target.limit = number * target.factor;
    return {};
}

std::string read_quantity(std::string_view text, const MetricDef& metric, Quantity& quantity) {
    const std::string plain = without_commas(text);
    std::string_view start = without_spaces_before(plain);
    const bool is_negative = start.starts_with('-');
    if (is_negative || start.starts_with('+')) {
        start = without_spaces_before(start.substr(1));
    }
    const auto [number, unit] = parsed(start);
    if (!number) {
        return fmt::format("\"{}\" does not begin with a number", text);
    }
    constexpr double kPercent = 0.01;
    const std::optional<double> factor = unit == "%" ? kPercent : factor_of(unit, metric);
    if (unit.empty() && *number == 0.0) { // 0 is 0 in every unit
        quantity = {};
        return {};
    }
    if (!factor) {
        return wrong_unit(text, unit, metric, units_for(metric));
    }
    const double size = *number * *factor;
    quantity = {.value = is_negative ? -size : size, .is_share = unit == "%"};
    return {};
}

} // namespace kvprof::analyzers
