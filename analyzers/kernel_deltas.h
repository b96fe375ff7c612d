#pragma once

#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"
#include "analyzers/side.h"
#include "capture/model/op_kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// One kernel (op, placement and name; several launch geometries add up) on both sides, traced.
struct KernelDelta {
    std::optional<OpKind> op; ///< absent: an imported profile knows no op
    Placement placement{};
    std::string name;
    double base_launches = 0.0; ///< a step; 0: the side does not have it
    double candidate_launches = 0.0;
    std::vector<double> base_ns; ///< a step, one value a run with a nodes pass
    std::vector<double> candidate_ns;
    double base_median = 0.0;
    double candidate_median = 0.0;
    double change_ns = 0.0; ///< candidate - base, a step, of the medians
    std::optional<double>
        of_step_change;              ///< share of the step's own change, if that is significant
    double of_step = 0.0;            ///< the greater side's share of the (traced) step
    std::optional<double> threshold; ///< the widest of its limits, as the test's change
    bool has_same_code = false;      ///< name, geometry and program: it can not have changed
    std::optional<SampledTest> test; ///< Mann-Whitney, of those with 0.1 % of the step
    std::optional<Verdict> verdict;  ///< of tested ones
    std::string reason;
};

/// The kernels of both sides in order of falling |change|. Tests are not adjusted yet.
[[nodiscard]] std::vector<KernelDelta>
kernel_deltas(const Side& base, const Side& candidate, double alpha);

/// The fields of a step that change which code runs, and not the work of kernels whose code stays.
[[nodiscard]] std::span<const std::string_view> fields_that_keep_work();

} // namespace kvprof::analyzers
