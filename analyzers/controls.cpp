#include "analyzers/controls.h"

#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// What controls may move by without a calibration.
constexpr double kUncalibratedFloor = 0.005;
constexpr std::size_t kFewestControls = 3;

/// The calibrated floor of the row that controls speak for.
double floor_of(const CaseFacts& facts) {
    for (const char* id : {"step.gpu_time", "op.gpu_time"}) {
        if (const auto noise = noise_for(id, facts)) {
            return noise->floor;
        }
    }
    return kUncalibratedFloor;
}

} // namespace

std::optional<Controls>
controls_of(const std::vector<KernelDelta>& kernels, const CaseFacts& facts) {
    std::vector<double> tested;
    std::vector<double> all;
    Controls controls;
    for (const KernelDelta& kernel : kernels) {
        if (kernel.has_same_code && kernel.base_median > 0.0 && kernel.candidate_median > 0.0) {
            all.push_back(kernel.candidate_median / kernel.base_median);
            controls.base_runs = kernel.base_ns.size(); // of all kernels alike
            controls.candidate_runs = kernel.candidate_ns.size();
            if (kernel.test) {
                tested.push_back(all.back());
            }
        }
    }
    if (all.empty()) {
        return std::nullopt;
    }
    controls.is_tested = !tested.empty();
    std::vector<double>& ratios = controls.is_tested ? tested : all;
    controls.kernels = ratios.size();
    controls.ratio = stats::median(std::move(ratios));
    controls.is_drift =
        controls.is_tested && std::abs(std::log(controls.ratio)) > std::log1p(floor_of(facts));
    return controls;
}

bool may_drift(const Delta& row) {
    const bool is_device_time =
        row.id.find("gpu_time") != std::string::npos || row.id.ends_with("wall_time");
    return is_device_time && row.test && row.test->is_ratio;
}

SampledTest without_drift(SampledTest test, const Controls& controls) {
    if (controls.is_tested && controls.kernels >= kFewestControls) {
        test.estimate /= controls.ratio;
        test.low /= controls.ratio;
        test.high /= controls.ratio;
    }
    return test;
}

} // namespace kvprof::analyzers
