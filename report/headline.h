#pragma once

#include "analyzers/metric.h"
#include "analyzers/summary.h"
#include "report/series.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

/// What lists of benchmarks carry of a run: the metrics that a gate judges when no policy says
/// otherwise. A metric that the run has no value of is absent.
struct Headline {
    std::optional<double> step_time;    ///< ns, the median of the samples; of one launch with --op
    std::optional<double> launches;     ///< a step
    std::optional<double> copies;       ///< a step
    std::optional<double> graph_memory; ///< bytes that were requested for the graph's buffers
    std::optional<double> wall_time;    ///< ns, as step_time
    std::optional<double> host_time;    ///< ns of the issuing thread in a step, untraced
};

[[nodiscard]] Headline headline_of(const Run& run);

/// One of the headline's four metrics, under the policy's word for it.
struct HeadlineMetric {
    std::string_view word;
    analyzers::Unit unit{};
    analyzers::MetricKind kind{};
    std::optional<double> Headline::*value = nullptr;
};

inline constexpr std::array kHeadline{
    HeadlineMetric{
        "step_time",
        analyzers::Unit::nanoseconds,
        analyzers::MetricKind::sampled,
        &Headline::step_time},
    HeadlineMetric{
        "launches", analyzers::Unit::count, analyzers::MetricKind::exact, &Headline::launches},
    HeadlineMetric{
        "copies", analyzers::Unit::count, analyzers::MetricKind::exact, &Headline::copies},
    HeadlineMetric{
        "graph_memory",
        analyzers::Unit::bytes,
        analyzers::MetricKind::exact,
        &Headline::graph_memory}};

/// Over the runs of a series that have the metric; nothing when none has.
[[nodiscard]] std::optional<analyzers::Summary>
summary_of(const Series& series, const HeadlineMetric& metric);

/// How many replays the run's time is the median of samples of: 0 without samples that were kept.
[[nodiscard]] std::int64_t replays_of(const Run& run);

/// To a thousandth, without an exponent: "12405500", "12405.5".
[[nodiscard]] std::string decimal(double value);

} // namespace kvprof::report
