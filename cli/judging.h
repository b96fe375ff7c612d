#pragma once

#include "analyzers/compare.h"
#include "cli/commands.h"
#include "db/store.h"
#include "report/recipe.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

/// The flags of judging and the policy that they mean: --policy, else the nearest kvprof.toml from
/// the working folder up to its repository's root, else the built-in one. No sides yet.
/// @throws UsageError for a file that is no policy.
[[nodiscard]] report::Recipe recipe_of(const JudgeOptions& options);

/// How to compare by a recipe; no calibrations yet.
[[nodiscard]] analyzers::CompareOptions compare_options(const report::Recipe& recipe);

/// Adds the calibrations of a store. A verb that measures into it opens it before, since a store
/// that another process is making holds nothing yet.
void add_calibrations(analyzers::CompareOptions& how, const std::filesystem::path& store);

/// What the design of an A/B experiment says of its sides.
void take_design(const AbDesign& design, analyzers::CompareOptions& how);

/// Compares the sides of an A/B experiment, each case. @throws UsageError when it is none.
[[nodiscard]] std::vector<analyzers::Comparison>
compare_experiment(const Experiment& experiment, const analyzers::CompareOptions& how);

/// Whether none of the comparisons can be made, and the sides as a whole are not comparable.
[[nodiscard]] bool is_nothing_comparable(const std::vector<analyzers::Comparison>& cases);

/// Whether no primary sampled row of an A/B experiment is left that more runs could decide.
[[nodiscard]] bool is_decided(const Experiment& so_far, const analyzers::CompareOptions& how);

/// Whether there is a file with something in it.
[[nodiscard]] bool holds_anything(const std::filesystem::path& store);

/// @throws UsageError when it has too few complete runs.
[[nodiscard]] analyzers::Calibration
calibration_of(const Experiment& experiment, std::size_t runs_a_side);

/// The calibrations that a store holds, newest first; those with too few runs are left out. Empty
/// when there is no such file, or nothing in it.
[[nodiscard]] std::vector<analyzers::Calibration>
calibrations_in(const std::filesystem::path& store, std::size_t runs_a_side);

/// Those of the store with these uuids, in this order; those with too few runs are left out.
[[nodiscard]] std::vector<analyzers::Calibration> load_calibrations(
    const db::Store& store, const std::vector<std::string>& uuids, std::size_t runs_a_side
);

} // namespace kvprof::cli
