#pragma once

#include "cli/commands.h"
#include "report/recipe.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kvprof::cli {

/// What a report will be about, and where its runs lie.
struct ReportPlan {
    report::Recipe recipe;
    std::vector<std::filesystem::path> stores; ///< of each of the recipe's sides
    std::filesystem::path store;               ///< of calibrations and of a confirmation
    bool finds_calibrations = false; ///< in `store`, those of the sides' steps; else the recipe's
};

/// Resolves references against the store of the flags; a reference may be a store file of its own.
/// @throws UsageError when one names nothing, or for a policy or claims file that can not be read.
[[nodiscard]] ReportPlan
plan_report(const SubjectOptions& subject, const CommonOptions& common, bool is_listing);

/// Of one experiment that was just measured into `store`, all of its runs.
[[nodiscard]] ReportPlan plan_experiment(
    const std::string& experiment,
    const std::filesystem::path& store,
    const JudgeOptions& judge,
    const CommonOptions& common
);

} // namespace kvprof::cli
