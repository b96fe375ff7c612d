#pragma once

#include "analyzers/compare.h"
#include "cli/commands.h"
#include "db/store.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

/// The policy of --policy, else of the nearest kvprof.toml from the working folder up to its
/// repository's root, else the built-in one. @throws UsageError for a file that is no policy.
[[nodiscard]] analyzers::Policy policy_of(const JudgeOptions& options);

/// How to compare by these flags; no calibrations yet.
[[nodiscard]] analyzers::CompareOptions compare_options(const JudgeOptions& options);

/// Adds the calibrations of a store. A verb that measures into it opens it before, since a store
/// that another process is making holds nothing yet.
void add_calibrations(analyzers::CompareOptions& how, const std::filesystem::path& store);

/// Compares the sides of an A/B experiment, each case. @throws UsageError when it is none.
[[nodiscard]] std::vector<analyzers::Comparison>
compare_experiment(const Experiment& experiment, const analyzers::CompareOptions& how);

/// The comparisons as a verb prints them.
[[nodiscard]] std::string
cases_report(const std::vector<analyzers::Comparison>& cases, Format format);

/// Whether none of the comparisons can be made, and the sides as a whole are not comparable.
[[nodiscard]] bool is_nothing_comparable(const std::vector<analyzers::Comparison>& cases);

/// Whether no primary sampled row of an A/B experiment is left that more runs could decide.
[[nodiscard]] bool is_decided(const Experiment& so_far, const analyzers::CompareOptions& how);

/// @throws UsageError when it has too few complete runs.
[[nodiscard]] analyzers::Calibration
calibration_of(const Experiment& experiment, std::size_t runs_a_side);

/// The calibrations that a store holds, newest first; those with too few runs are left out. Empty
/// when there is no such file, or nothing in it.
[[nodiscard]] std::vector<analyzers::Calibration>
calibrations_in(const std::filesystem::path& store, std::size_t runs_a_side);

} // namespace kvprof::cli
