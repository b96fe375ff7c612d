#pragma once

#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// A run that can be part of no figure, and why.
struct ExcludedRun {
    std::string uuid;
    std::string variant;
    RunState state = RunState::invalid;
    std::string reason;

    friend bool operator==(const ExcludedRun&, const ExcludedRun&) = default;
};

/// Runs of one specification, compared as one. `runs` are complete.
struct Side {
    std::string label;
    StepSpec step;
    MeasureSpec measure;
    std::vector<Run> runs;
    std::vector<ExcludedRun> excluded;
};

/// @throws UsageError when there are no runs, or when their specifications differ: it lists the
/// fields that vary, for the reference to choose by.
[[nodiscard]] Side side_of(std::string label, const std::vector<Run>& runs);

/// "; invalid: wrong ids (3 runs); void: ...": each distinct reason of a left-out run once.
[[nodiscard]] std::string why_excluded(const Side& side);

/// One side for each specification, in order of appearance, labelled by its variant. How a step was
/// watched is no part of it.
[[nodiscard]] std::vector<Side> sides_of(const std::vector<Run>& runs);

/// Two sides of one case.
struct Case {
    std::string cell; ///< "batch=8"; empty for a lone one
    Side base;
    Side candidate;
};

/// The cases of an A/B experiment, in order of appearance: its runs by the fields that vary and are
/// no treatment. Runs of a side are in the order of their pairs; void and failed ones are excluded.
/// @throws UsageError when the experiment has no design or no run of one
[[nodiscard]] std::vector<Case> cases_of(const Experiment& experiment);

} // namespace kvprof::analyzers
