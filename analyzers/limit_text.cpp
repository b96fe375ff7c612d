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

/// The words that fit a metric.
std::vector<std::string_view> words_for(const MetricDef& metric) {
    std::vector<std::string_view> words;
    for (const UnitWord& one : kWords) {
        if (one.unit == metric.unit) {
            words.push_back(one.word);
        }
    }
    words.emplace_back("%");
    if (metric.unit == Unit::nanoseconds) {
        words.emplace_back("% of step");
    }
    return words;
}

std::string unknown_unit(std::string_view unit, const MetricDef& metric) {
    const std::vector<std::string_view> words = words_for(metric);
    const std::string_view close = nearest(unit, words);
    return fmt::format(
        "\"{}\" is no unit of {}; it has {}{}",
        unit,
        metric.id,
        fmt::join(words, ", "),
        close.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", close)
    );
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
    const bool has_no_unit = metric.unit == Unit::count || metric.unit == Unit::ratio;
    if (unit.empty() && has_no_unit) {
        return {&limits.absolute, 1.0};
    }
    for (const UnitWord& one : kWords) {
        if (one.word == unit && one.unit == metric.unit) {
            return {&limits.absolute, one.factor};
        }
    }
    return {};
}

} // namespace

std::string read_limit(std::string_view text, const MetricDef& metric, Limits& limits) {
    const std::string_view start = without_spaces_before(text);
    double number = 0.0;
    const auto [end, failure] = std::from_chars(start.data(), start.data() + start.size(), number);
    if (failure != std::errc{} || !std::isfinite(number) || number < 0.0) {
        return fmt::format("\"{}\" does not begin with a number that is 0 or more", text);
    }
    std::string_view unit =
        without_spaces_before(start.substr(static_cast<std::size_t>(end - start.data())));
    unit = unit.substr(0, unit.find_last_not_of(' ') + 1);
    const Target target = target_of(unit, metric, limits);
    if (target.limit == nullptr) {
        return unit.empty() ? fmt::format(
                   "\"{}\" needs a unit: {}", text, fmt::join(words_for(metric), ", ")
               )
                            : unknown_unit(unit, metric);
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

} // namespace kvprof::analyzers
