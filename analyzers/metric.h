#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/pass.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kvprof::analyzers {

/// Which way a metric gets better. `neither`: the row explains another one and is not judged.
enum class Direction : std::uint8_t { lower, higher, neither };
/// Exact figures are compared by equality and need one run; sampled ones need a statistical test.
enum class MetricKind : std::uint8_t { exact, sampled };
enum class Unit : std::uint8_t { nanoseconds, bytes, count, ratio };

/// One row of the metric catalogue, docs/metrics.md. An id with `<name>` stands for one metric for
/// each op, group or buffer.
struct MetricDef {
    std::string_view id;
    Unit unit;
    Direction better;
    MetricKind kind;
    std::string_view doc; ///< one sentence
    /// The process that observes it. A run without that pass has no value, which is not 0.
    Pass pass = Pass::timing;
    bool is_of_profile = false; ///< imported profiles have it, and no run of this program's own
};

/// Every metric, in the order of reports.
[[nodiscard]] std::span<const MetricDef> metric_catalogue();
/// @throws std::logic_error when the catalogue has no such row.
[[nodiscard]] const MetricDef& metric(std::string_view id);

/// "12.407 ms", "1.00 GiB", "1,024" ("2.50" of a count per step that is not whole), "0.930".
[[nodiscard]] std::string format_value(Unit unit, double value);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::Direction> {
    using enum kvprof::analyzers::Direction;
    static constexpr std::array values{
        std::pair{lower, "lower"}, std::pair{higher, "higher"}, std::pair{neither, "neither"}};
};

template<>
struct kvprof::EnumNames<kvprof::analyzers::MetricKind> {
    using enum kvprof::analyzers::MetricKind;
    static constexpr std::array values{std::pair{exact, "exact"}, std::pair{sampled, "sampled"}};
};

template<>
struct kvprof::EnumNames<kvprof::analyzers::Unit> {
    using enum kvprof::analyzers::Unit;
    static constexpr std::array values{
        std::pair{nanoseconds, "ns"},
        std::pair{bytes, "bytes"},
        std::pair{count, "count"},
        std::pair{ratio, "ratio"}};
};
