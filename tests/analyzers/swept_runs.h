#pragma once

#include "capture/model/run.h"

#include <string>

namespace kvprof::test {

/// A complete run whose step takes `step_us` and whose nodes pass traced ten steps; no kernels yet.
[[nodiscard]] Run swept_run(const StepSpec& step, double step_us);

/// A kernel of the run that takes `us` of each traced step, in one launch.
struct SweptKernel {
    std::string name;
    OpKind op{};
    double us = 0.0;
};

void add_kernel(Run& run, const SweptKernel& kernel);

/// A run of which no figure came.
[[nodiscard]] Run missing_run(const StepSpec& step, const std::string& reason);

} // namespace kvprof::test
