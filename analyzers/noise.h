#pragma once

#include "capture/model/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// What a calibration says of one metric of one case on one kind of device.
struct MetricNoise {
    std::string id;     ///< "step.gpu_time"
    double sigma = 0.0; ///< robust standard deviation of a run's log
    double floor = 0.0; ///< e^nu - 1: what identical code shows
    std::size_t runs = 0;
    std::size_t splits = 0;
    std::optional<double> detectable; ///< with the policy's runs a side

    friend bool operator==(const MetricNoise&, const MetricNoise&) = default;
};

/// A calibration, read from its runs: facts are stored, the floor is computed.
struct Calibration {
    std::string experiment; ///< uuid
    std::string started_at;
    StepSpec step;
    MeasureSpec measure;
    std::string device;       ///< product name
    std::string method = "1"; ///< what a stored time means
    std::vector<MetricNoise> metrics;
    std::vector<std::string> notes; ///< runs left out, and why
    std::size_t runs_a_side = 0;    ///< that MetricNoise::detectable is of; 0: not said
};

/// @throws UsageError when fewer than 4 runs count, or when they differ in a field.
/// @param seed of the splits
[[nodiscard]] Calibration
calibration_of(const Experiment& experiment, std::uint64_t seed, std::size_t runs_a_side);

/// The newest calibration of this step (all fields) on this kind of device, measured the same way
/// (op, L2 state, executor) by the same method; null when there is none.
[[nodiscard]] const Calibration*
calibration_for(const std::vector<Calibration>& calibrations, const Run& run);

/// The relative change that a comparison of so many runs a side would see with power 80 %, where
/// runs deviate by `sigma` in logs: by the test of pairs, whose log-ratio deviates by sqrt(2)
/// sigma, from 6 runs on, of all runs below. Nothing when no test could.
[[nodiscard]] std::optional<double> detectable_with(std::size_t runs_a_side, double sigma);

/// The metric's noise; null when the calibration has none.
[[nodiscard]] const MetricNoise* noise_of(const Calibration& calibration, std::string_view id);

} // namespace kvprof::analyzers
