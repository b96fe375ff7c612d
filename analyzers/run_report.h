#pragma once

#include "analyzers/run_sections.h"
#include "capture/model/params.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// What `kvprof show RUN` says in every form but JSON, in the order of its report.

/// "complete", "invalid (exit code 3): ids differ".
[[nodiscard]] std::string status_line(const Run& run);
/// What was measured; a run that is not complete has no figures. Without those that are empty.
[[nodiscard]] std::vector<Section> figure_sections(const Run& run);

/// Names and values under a title.
struct ParamList {
    std::string title;
    std::vector<Param> params; ///< "(none)" stands for an empty value
};

/// Where and when the run was, then its specification.
[[nodiscard]] std::vector<ParamList> param_lists(const Run& run);

} // namespace kvprof::analyzers
