#pragma once

#include "analyzers/gate.h"
#include "analyzers/pairs.h"
#include "analyzers/step_timeline.h"
#include "capture/model/run.h"
#include "report/claims.h"
#include "report/recipe.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kvprof::report {

/// What is known of an experiment besides its runs.
struct ExperimentHead {
    std::string uuid;
    std::string started_at; ///< UTC, ISO 8601
    std::string command_line;
    std::string label;
    ExperimentKind kind = ExperimentKind::matrix;
    std::optional<AbDesign> ab;
};

/// Cases, compared and judged by a policy.
struct Judged {
    /// The cases, and what a gate says of them. Of `kvprof report` the verdict of the cases leads
    /// (analyzers::verdict_of); of `kvprof gate` (Recipe::is_gate) this result's.
    analyzers::GateResult gate;
    std::vector<ExperimentHead> experiments; ///< that the runs are of, in order of appearance
    std::string by;                          ///< of a matrix: the field that pairs its cells
    std::vector<analyzers::Unpaired> unpaired;
    std::vector<Run> timelines; ///< with Run::events: only for Format::perfetto, base first
};

/// Which kvprof writes the report. Not the one that measured: that is in each run's environment.
struct Tool {
    std::string version; ///< "0.1.0"
};

/// Data for the renderers: what a report is about. Each renderer is a pure function of it.
struct Report {
    Recipe recipe;
    Tool tool;
    std::variant<Run, Experiment, Judged> subject;
    std::optional<CheckedClaims> claims; ///< of a comparison
    /// The steps that a page draws: of a run its own, of a comparison base before candidate; none
    /// where no records were kept. For Format::html and json.
    std::vector<analyzers::StepTimeline> drawn_steps;
};

} // namespace kvprof::report
