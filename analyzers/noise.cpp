#include "analyzers/noise.h"

#include "analyzers/metrics_of.h"
#include "analyzers/sampled_test.h"
#include "analyzers/spec_diff.h"
#include "capture/model/error.h"
#include "stats/detectable.h"
#include "stats/median.h"
#include "stats/noise_floor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace kvprof::analyzers {

namespace {

constexpr std::size_t kFewestRuns = 4; // below, there is no split into equal halves to compare

/// Why a run is no evidence of the noise; empty when it is.
std::string reason_to_leave_out(const Run& run, std::string_view device) {
    if (run.status.state != RunState::complete) {
        return fmt::format("{}: {}", to_string(run.status.state), run.status.reason);
    }
    for (const Condition& condition : run.conditions) {
        if (condition.pass == Pass::timing && is_void(condition.kind)) {
            return fmt::format("{}: {}", to_string(condition.kind), condition.detail);
        }
    }
    if (run.environment.device_name != device) {
        return fmt::format("measured on {}, not on {}", run.environment.device_name, device);
    }
    return {};
}

/// The runs that count. Those that do not are notes.
std::vector<Run> usable_runs(const Experiment& experiment, std::vector<std::string>& notes) {
    const auto first =
        std::find_if(experiment.runs.begin(), experiment.runs.end(), [](const Run& run) {
            return run.status.state == RunState::complete;
        });
    const std::string device =
        first == experiment.runs.end() ? std::string() : first->environment.device_name;
    std::vector<Run> runs;
    for (const Run& run : experiment.runs) {
        const std::string reason = reason_to_leave_out(run, device);
        if (reason.empty()) {
            runs.push_back(run);
        } else {
            notes.push_back(fmt::format("run {} left out: {}", run.position + 1, reason));
        }
    }
    return runs;
}

void require_one_case(const Experiment& experiment, const std::vector<Run>& runs) {
    const std::vector<std::string> varying = varying_fields(runs);
    if (!varying.empty()) {
        throw UsageError(
            fmt::format(
                "could not read the noise of experiment {}: its runs differ in {}",
                experiment.uuid.substr(0, 8),
                fmt::join(varying, ", ")
            ),
            "calibrate one case at a time: kvprof calibrate"
        );
    }
}

bool has_noise(const MetricDef& metric) {
    return metric.kind == MetricKind::sampled && metric.pass == Pass::timing
           && metric.better != Direction::neither;
}

/// One value a run; nothing when a run has none, or one that has no logarithm.
std::vector<double> values_of(const std::vector<std::vector<Series>>& runs, std::string_view id) {
    std::vector<double> values;
    for (const std::vector<Series>& run : runs) {
        const auto series =
            std::find_if(run.begin(), run.end(), [&](const Series& one) { return one.id == id; });
        if (series == run.end() || series->values.empty()) {
            return {};
        }
        const double value = stats::median(series->values);
        if (!(value > 0.0)) {
            return {};
        }
        values.push_back(value);
    }
    return values;
}

MetricNoise noise_from(
    std::string id, const std::vector<double>& values, std::uint64_t seed, std::size_t runs_a_side
) {
    const stats::NoiseFloor floor = stats::noise_floor(values, seed);
    return {
        .id = std::move(id),
        .sigma = floor.sigma,
        .floor = std::expm1(floor.log_ratio),
        .runs = values.size(),
        .splits = floor.splits,
        .detectable = detectable_with(runs_a_side, floor.sigma)};
}

/// Older programs had no word for the first method.
std::string method_of(const Run& run) {
    return run.environment.method.empty() ? "1" : run.environment.method;
}

bool is_measured_alike(const MeasureSpec& a, const MeasureSpec& b) {
    return a.op == b.op && a.l2 == b.l2 && a.executor == b.executor
           && a.op_launches == b.op_launches;
}

} // namespace

std::optional<double> detectable_with(std::size_t runs_a_side, double sigma) {
    const bool is_paired = runs_a_side >= kFewestPairs;
    const std::optional<double> factor = is_paired
                                             ? stats::paired_detectable_factor(runs_a_side)
                                             : stats::detectable_factor(runs_a_side, runs_a_side);
    if (!factor) {
        return std::nullopt;
    }
    return stats::detectable_effect(*factor, is_paired ? sigma * std::numbers::sqrt2 : sigma);
}

Calibration
calibration_of(const Experiment& experiment, std::uint64_t seed, std::size_t runs_a_side) {
    Calibration calibration{
        .experiment = experiment.uuid,
        .started_at = experiment.started_at,
        .notes = {},
        .runs_a_side = runs_a_side};
    const std::vector<Run> runs = usable_runs(experiment, calibration.notes);
    if (runs.size() < kFewestRuns) {
        throw UsageError(
            fmt::format(
                "could not read the noise of experiment {}: {} of its {} runs count, and {} are "
                "needed{}{}",
                experiment.uuid.substr(0, 8),
                runs.size(),
                experiment.runs.size(),
                kFewestRuns,
                calibration.notes.empty() ? "" : "; ",
                fmt::join(calibration.notes, "; ")
            ),
            "kvprof calibrate measures 12 runs"
        );
    }
    require_one_case(experiment, runs);
    calibration.step = runs.front().step;
    calibration.measure = runs.front().measure;
    calibration.device = runs.front().environment.device_name;
    calibration.method = method_of(runs.front());
    std::vector<std::vector<Series>> series;
    for (const Run& run : runs) {
        series.push_back(metrics_of(run));
    }
    for (const Series& one : series.front()) {
        const std::vector<double> values =
            has_noise(*one.metric) ? values_of(series, one.id) : std::vector<double>{};
        if (!values.empty()) {
            calibration.metrics.push_back(noise_from(one.id, values, seed, runs_a_side));
        }
    }
    return calibration;
}

const Calibration* calibration_for(const std::vector<Calibration>& calibrations, const Run& run) {
    const Calibration* newest = nullptr;
    for (const Calibration& one : calibrations) {
        const bool fits = one.step == run.step && is_measured_alike(one.measure, run.measure)
                          && one.device == run.environment.device_name
                          && one.method == method_of(run);
        if (fits && (newest == nullptr || newest->started_at < one.started_at)) {
            newest = &one;
        }
    }
    return newest;
}

const MetricNoise* noise_of(const Calibration& calibration, std::string_view id) {
    const auto found = std::find_if(
        calibration.metrics.begin(),
        calibration.metrics.end(),
        [&](const MetricNoise& one) { return one.id == id; }
    );
    return found == calibration.metrics.end() ? nullptr : &*found;
}

} // namespace kvprof::analyzers
