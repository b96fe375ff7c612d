#pragma once

#include "capture/model/run.h"
#include "cli/report_plan.h"
#include "db/store.h"
#include "report/report.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

/// The runs of one side, in their order, inside their experiment; inside one without an id when
/// they are of several.
struct LoadedSide {
    std::string label;
    Experiment experiment;
    std::vector<report::ExperimentHead> heads; ///< of all experiments that they are of
};

/// @throws UsageError for an experiment or a run that the store does not hold.
[[nodiscard]] LoadedSide
load_side(const report::RecipeRuns& side, const std::filesystem::path& store);

/// @param what "run", "experiment": for the message
/// @throws UsageError when the store holds nothing by that uuid.
void require_stored(const db::Store& store, const std::string& uuid, std::string_view what);

/// Adds an experiment that is not there yet.
void add_head(const report::ExperimentHead& head, std::vector<report::ExperimentHead>& heads);

/// @throws UsageError when the store does not hold it.
[[nodiscard]] Experiment load_known(const std::string& uuid, const std::filesystem::path& store);

} // namespace kvprof::cli
