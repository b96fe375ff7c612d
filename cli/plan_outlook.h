#pragma once

#include "analyzers/noise.h"
#include "cli/commands.h"
#include "cli/run_plan.h"

#include <filesystem>
#include <optional>
#include <string>

namespace kvprof::cli {

/// How long an experiment takes.
struct Duration {
    double least_minutes = 0.0; ///< every run steady at once and precise at once
    double most_minutes = 0.0;  ///< every run at the limits of --warmup-max and --run-time
};

/// Pure. Cells that can not be measured take no time.
[[nodiscard]] Duration duration_of(const RunPlan& plan);

/// What an A/B experiment will cost and could see.
struct Outlook {
    Duration duration;
    /// Relative change of the step's time that would be seen with power 80 %: by the standard
    /// deviation `sigma` of a run, which a calibration measured or which is assumed.
    std::optional<double> detectable;
    double sigma = 0.0;
    bool is_calibrated = false;
};

/// Pure. @param noise of the step's time, of a calibration of this case; null without one
[[nodiscard]] Outlook outlook_of(const RunPlan& plan, const analyzers::MetricNoise* noise);

/// The result of --dry-run: the plan; of a tuning with its duration, and of an A/B experiment its
/// outlook with the calibrations of the store.
[[nodiscard]] std::string
dry_run(const RunOptions& options, const RunPlan& plan, const std::filesystem::path& store);

} // namespace kvprof::cli
