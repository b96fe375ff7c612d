#pragma once

#include "analyzers/kernel_pairing.h"
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

/// One kernel on both sides, traced; several launch geometries add up. Of own runs it is an op, a
/// placement and a name; of imported ones the pair that KernelMatch names.
struct KernelDelta {
    std::optional<OpKind> op; ///< absent: an imported profile knows no op
    Placement placement{};
    std::string name;                 ///< of the candidate, where it has it
    std::string base_name;            ///< where the base calls it otherwise; else empty
    bool is_kernel = true;            ///< else a copy or a fill
    std::optional<KernelMatch> match; ///< absent: one side alone has it
    double base_launches = 0.0;       ///< a step; 0: the side does not have it
    double candidate_launches = 0.0;
    std::vector<double> base_ns; ///< a step, one value a run with a nodes pass
    std::vector<double> candidate_ns;
    double base_median = 0.0;
    double candidate_median = 0.0;
    double change_ns = 0.0; ///< candidate - base, a step, of the medians
    std::optional<double>
        of_step_change;              ///< share of the step's own change, if that is significant
    double of_step = 0.0;            ///< the greater side's share of step_of_kernels()
    std::optional<double> threshold; ///< the widest of its limits, as the test's change
    bool has_same_code = false;      ///< name, geometry and program: it can not have changed
    std::optional<SampledTest> test; ///< Mann-Whitney, of those with 0.1 % of it
    std::optional<Verdict> verdict;  ///< of tested ones
    std::string reason;
};

/// What a kernel's share of the step is of, in ns; 0: unknown. Of one's own runs the traced step.
/// The step of an imported run was not traced: kernel time a step, the sum of its kernels' medians.
[[nodiscard]] double step_of_kernels(const Side& side);

/// The kernels of both sides in order of falling |change|. Tests are not adjusted yet.
[[nodiscard]] std::vector<KernelDelta>
kernel_deltas(const Side& base, const Side& candidate, double alpha);

/// The fields of a step that change which code runs, and not the work of kernels whose code stays.
[[nodiscard]] std::span<const std::string_view> fields_that_keep_work();

} // namespace kvprof::analyzers
