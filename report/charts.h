#pragma once

#include "analyzers/estimate.h"
#include "analyzers/metric.h"
#include "analyzers/sampled_test.h"
#include "analyzers/table.h"
#include "report/report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kvprof::report {

// What a page draws: numbers for the drawing, words for a reader who points at a mark. Nothing is
// computed that the analyzers did not say; pure functions of a report.

/// Judged rows of all cases by falling |change|.
struct IntervalChart {
    struct Row {
        std::string label; ///< "step.gpu_time", "batch=8: step.gpu_time"
        std::string words; ///< "-2.25 % [-2.66, -1.93], improved"
        analyzers::Verdict verdict{};
        double change = 0.0;                         ///< percent of the base
        std::optional<analyzers::Interval> interval; ///< percent
        std::optional<double> limit;                 ///< percent, of the gate
        bool is_primary = false;
    };

    std::vector<Row> rows;
};

/// Values in the order in which they were measured, so that a drift can be seen.
struct OrderChart {
    struct Point {
        std::int64_t order = 0; ///< from 1
        double value = 0.0;
        std::string words;
        bool is_odd = false; ///< an outlier, or a sample that was discarded
    };

    struct Series {
        std::string name;
        std::vector<Point> points;
        double median = 0.0;
    };

    analyzers::Unit unit{};
    std::string counted; ///< what `order` counts: "run", "sample"
    std::vector<Series> series;
};

/// Parts that lead from 0 to a total, ns a step.
struct WaterfallChart {
    struct Bar {
        std::string label;
        std::string words;
        double from = 0.0;
        double to = 0.0;
        std::optional<analyzers::Interval> interval; ///< of `to`
        bool is_total = false;
    };

    std::vector<Bar> bars;
    bool is_change = false; ///< parts of a change, which may go both ways; else of a step
};

/// One figure of many things, on both sides or on one, by falling size. Drawn on a logarithmic
/// scale, so nothing stands for 0.
struct PairChart {
    struct Row {
        std::string label;
        std::string words;
        std::optional<double> base;
        std::optional<double> candidate;
    };

    analyzers::Unit unit{};
    std::vector<std::string> sides; ///< names: two, or one
    std::vector<Row> rows;
};

/// The runs of each variant on one line.
struct StripChart {
    struct Row {
        std::string label;
        std::string words;
        std::vector<double> values; ///< one a run
        double median = 0.0;
    };

    analyzers::Unit unit{};
    std::vector<Row> rows;
};

/// Times of a sweep against the work of the step, a line a kernel and side, on logarithmic scales.
struct LawChart {
    struct Point {
        double work = 0.0; ///< above 0, as `time_ns`
        double time_ns = 0.0;
        std::string words;
    };

    struct Series {
        std::string name;
        bool is_candidate = false; ///< of side B
        std::vector<Point> points; ///< in rising order of work
    };

    std::string work;               ///< what `work` counts: "live tokens", "max-context"
    std::vector<std::string> sides; ///< names: two, or one
    std::vector<Series> series;
};

struct Chart {
    std::string title;
    std::string summary; ///< what there is to see, for those who can not
    std::variant<IntervalChart, OrderChart, WaterfallChart, PairChart, StripChart, LawChart> data;
    analyzers::Table table; ///< the same figures as text, those that are not drawn too
};

/// Charts of one case.
struct ChartGroup {
    std::string title; ///< the case; empty for a lone one, and for charts of all
    std::vector<Chart> charts;
};

/// Marks that one chart has room for: its table has the others.
inline constexpr std::size_t kMostDrawn = 30;
/// Cases that are drawn one by one.
inline constexpr std::size_t kMostDrawnCases = 8;

/// Only charts that have something to show.
[[nodiscard]] std::vector<ChartGroup> charts_of(const Report& report);

/// The parts of charts_of(); nothing where a report lacks what a chart shows.
/// @param cases not empty
[[nodiscard]] std::optional<Chart> interval_chart(const std::vector<analyzers::Comparison>& cases);
/// Of a sampled row with a value of every run.
[[nodiscard]] std::optional<Chart>
run_order_chart(const analyzers::Comparison& comparison, const analyzers::Delta& row);
[[nodiscard]] std::optional<Chart> ledger_chart(const analyzers::Comparison& comparison);
[[nodiscard]] std::optional<Chart> kernel_chart(const analyzers::Comparison& comparison);
[[nodiscard]] std::optional<Chart> memory_chart(const analyzers::Comparison& comparison);

[[nodiscard]] std::optional<Chart> sample_chart(const Run& run);
[[nodiscard]] std::optional<Chart> ledger_chart(const Run& run);
[[nodiscard]] std::optional<Chart> kernel_chart(const Run& run);
[[nodiscard]] std::optional<Chart> memory_chart(const Run& run);
[[nodiscard]] std::optional<Chart> variant_chart(const Experiment& experiment);
/// Of a sweep, one an axis: what was timed, and the kernels that take most of the step.
[[nodiscard]] std::vector<Chart> law_charts(const Experiment& experiment);

} // namespace kvprof::report
