#pragma once

#include "analyzers/compare.h"
#include "tests/support/example_runs.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers::test_sides {

/// A run of the stream whose step takes `us`.
inline kvprof::Run timed(double us) {
    kvprof::Run run = test::step_run(IndexMode::stream, {1});
    const auto ns = std::chrono::nanoseconds(std::llround(us * 1000.0 * 10.0));
    run.samples[0].gpu_time = ns;
    run.samples[0].wall_time = ns;
    return run;
}

inline std::vector<kvprof::Run> timed_runs(const std::vector<double>& us) {
    std::vector<kvprof::Run> runs;
    for (const double each : us) {
        runs.push_back(timed(each));
    }
    return runs;
}

inline Side timed_side(const char* label, const std::vector<double>& us) {
    return side_of(label, timed_runs(us));
}

/// As timed_side(), run i being of pair i of an A/B experiment in blocks A B B A.
inline Side paired_side(AbSide side, const std::vector<double>& us) {
    std::vector<kvprof::Run> runs = timed_runs(us);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool is_first_pair = i % 2 == 0;
        const bool is_a = side == AbSide::a;
        const std::int64_t place = is_first_pair ? (is_a ? 0 : 1) : (is_a ? 3 : 2);
        runs[i].ab =
            AbPlace{.side = side, .block = static_cast<std::int64_t>(i / 2), .place = place};
    }
    return side_of(side == AbSide::a ? "A" : "B", runs);
}

/// The policy with one limit for the step's time.
inline CompareOptions with_limit(double ratio) {
    MetricRule rule;
    rule.metric = "step_time";
    rule.limits.ratio = ratio;
    CompareOptions how;
    how.policy.rules = {rule};
    return how;
}

inline const Delta& row_of(const Comparison& comparison, std::string_view id) {
    for (const Delta& row : comparison.deltas) {
        if (row.id == id) {
            return row;
        }
    }
    throw std::runtime_error("no row " + std::string(id));
}

inline const Delta& step_row(const Comparison& comparison) {
    return row_of(comparison, "step.gpu_time");
}

/// Case V3 of the method and the first side of many others, us.
inline const std::vector<double>& v3_base() {
    static const std::vector<double> us{
        12410.2, 12396.7, 12431.9, 12405.5, 12418.3, 12389.0, 12402.6};
    return us;
}

inline const std::vector<double>& v3_candidate() {
    static const std::vector<double> us{
        12598.1, 12571.4, 12633.0, 12584.9, 12609.7, 12560.2, 12590.8};
    return us;
}

inline std::vector<double> with_one_more(std::vector<double> values, double value) {
    values.push_back(value);
    return values;
}

} // namespace kvprof::analyzers::test_sides
