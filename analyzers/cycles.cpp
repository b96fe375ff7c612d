#include "analyzers/cycles.h"

#include "analyzers/as_double.h"
#include "analyzers/validity.h"
#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

namespace {

/// Clocks that differ by no more explain no change.
constexpr double kEqualClocks = 0.005;

bool is_gpu_time(const MetricDef& metric) {
    return metric.id == "step.gpu_time" || metric.id == "step.gpu_time_p99"
           || metric.id == "op.gpu_time";
}

/// The median SM clock while the run measured, MHz.
std::optional<double> clock_of(const Run& run) {
    std::vector<double> clocks;
    for (const DeviceState& state : run.states) {
        if (state.when == "during" && state.sm_clock_mhz) {
            clocks.push_back(as_double(*state.sm_clock_mhz));
        }
    }
    return clocks.empty() ? std::nullopt : std::optional(stats::median(std::move(clocks)));
}

/// Times and clocks of the runs of a side that have the metric.
struct SideCycles {
    ByRun cycles;
    std::vector<double> clocks;
};

/// Nothing when a clock is not known.
std::optional<SideCycles> cycles_of(const Side& side, const ByRun& times) {
    SideCycles known;
    known.cycles.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!times[i]) {
            continue;
        }
        const std::optional<double> clock = clock_of(side.runs[i]);
        if (!clock) {
            return std::nullopt;
        }
        known.cycles[i] = *times[i] * *clock;
        known.clocks.push_back(*clock);
    }
    return known.clocks.empty() ? std::nullopt : std::optional(std::move(known));
}

} // namespace

std::optional<CycleTest> test_cycles(const Row& row, const CaseFacts& facts, double alpha) {
    const SampledTest& time = *row.shown.test;
    const bool is_asked = time.p_adjusted <= alpha || is_power_capped(*facts.base)
                          || is_power_capped(*facts.candidate);
    if (!is_asked || !is_gpu_time(*row.shown.metric)) {
        return std::nullopt;
    }
    std::optional<SideCycles> base = cycles_of(*facts.base, row.base);
    std::optional<SideCycles> candidate = cycles_of(*facts.candidate, row.candidate);
    if (!base || !candidate) {
        return std::nullopt;
    }
    const Units units = units_of(base->cycles, candidate->cycles, facts);
    CycleTest cycles;
    cycles.base_mhz = stats::median(std::move(base->clocks));
    cycles.candidate_mhz = stats::median(std::move(candidate->clocks));
    cycles.test = test_sampled(units.base, units.candidate, units.method, facts.interval_alpha);
    // Held to the same: adjusted by as much as the time's p was.
    cycles.test.tests = time.tests;
    cycles.test.p_adjusted = std::min(1.0, cycles.test.p * (time.p_adjusted / time.p));
    return cycles;
}

bool is_confounded(const CycleTest& cycles, Verdict by_time, Verdict by_cycles) {
    return by_cycles != by_time && cycles.base_mhz > 0.0
           && std::abs(cycles.candidate_mhz / cycles.base_mhz - 1.0) > kEqualClocks;
}

} // namespace kvprof::analyzers
