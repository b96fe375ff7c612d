#include "cli/judging.h"

#include "analyzers/policy.h"
#include "capture/model/enum_names.h"
#include "capture/model/error.h"
#include "cli/embedded_files.h"
#include "db/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace kvprof::cli {

namespace {

/// Of the splits of a calibration: the same floor on every machine.
constexpr std::uint64_t kSplitSeed = 0;

} // namespace

bool holds_anything(const std::filesystem::path& store) {
    std::error_code missing;
    return std::filesystem::file_size(store, missing) > 0 && !missing;
}

analyzers::Calibration calibration_of(const Experiment& experiment, std::size_t runs_a_side) {
    return analyzers::calibration_of(experiment, kSplitSeed, runs_a_side);
}

std::vector<analyzers::Calibration> load_calibrations(
    const db::Store& store, const std::vector<std::string>& uuids, std::size_t runs_a_side
) {
    std::vector<analyzers::Calibration> calibrations;
    for (const std::string& uuid : uuids) {
        try {
            calibrations.push_back(calibration_of(store.load_experiment(uuid), runs_a_side));
        } catch (const UsageError&) {
            continue; // too few of its runs are complete: it says nothing of noise
        }
    }
    return calibrations;
}

std::vector<analyzers::Calibration>
calibrations_in(const std::filesystem::path& path, std::size_t runs_a_side) {
    if (!holds_anything(path)) {
        return {};
    }
    const db::Store store(path, db::OpenMode::read);
    std::vector<std::string> uuids;
    for (const auto& stored : store.list_experiments(ExperimentKind::calibration)) {
        uuids.push_back(stored.uuid);
    }
    return load_calibrations(store, uuids, runs_a_side);
}

report::Recipe recipe_of(const JudgeOptions& options) {
    report::Recipe recipe;
    std::error_code ignored; // a folder that was removed has no kvprof.toml above it either
    const auto path =
        options.policy
            ? options.policy
            : db::config_path(db::path_environment(), std::filesystem::current_path(ignored));
    if (path) {
        recipe.policy = policy_file(*path);
    }
    recipe.treatment = options.treatment;
    recipe.allowed_mismatch = options.allowed_mismatch;
    recipe.is_strict_env = options.is_strict_env;
    recipe.is_unpaired = options.is_unpaired;
    return recipe;
}

analyzers::CompareOptions compare_options(const report::Recipe& recipe) {
    analyzers::CompareOptions how;
    if (recipe.policy) {
        how.policy = analyzers::parse_policy(recipe.policy->text, recipe.policy->origin);
    }
    if (const auto word = parse_enum<analyzers::OnInconclusive>(recipe.on_inconclusive)) {
        how.policy.on_inconclusive = *word;
    }
    how.treatment = recipe.treatment;
    how.allowed_mismatch = recipe.allowed_mismatch;
    how.is_strict_env = recipe.is_strict_env;
    how.is_unpaired = recipe.is_unpaired;
    how.is_stored_baseline = recipe.is_stored_baseline;
    return how;
}

void add_calibrations(analyzers::CompareOptions& how, const std::filesystem::path& store) {
    how.calibrations = calibrations_in(store, static_cast<std::size_t>(how.policy.runs));
}

void take_design(const AbDesign& design, analyzers::CompareOptions& how) {
    how.treatment.insert(how.treatment.end(), design.treatment.begin(), design.treatment.end());
    how.is_interleaved = true;
    how.looks = design.looks;
}

std::vector<analyzers::Comparison>
compare_experiment(const Experiment& experiment, const analyzers::CompareOptions& how) {
    if (!experiment.ab) {
        throw UsageError(
            fmt::format(
                "could not compare experiment {} with itself: it is no A/B experiment",
                experiment.uuid.substr(0, 8)
            ),
            "name two sides, kvprof diff A B, or the field that tells them apart, --by FIELD"
        );
    }
    analyzers::CompareOptions own = how;
    take_design(*experiment.ab, own);
    return analyzers::compare_cases(analyzers::cases_of(experiment), own);
}

bool is_nothing_comparable(const std::vector<analyzers::Comparison>& cases) {
    return std::all_of(cases.begin(), cases.end(), [](const analyzers::Comparison& comparison) {
        return comparison.verdict == analyzers::Verdict::not_comparable;
    });
}

bool is_decided(const Experiment& so_far, const analyzers::CompareOptions& how) {
    const auto is_open = [](const auto& row) {
        return row.test && row.verdict == analyzers::Verdict::inconclusive;
    };
    for (const analyzers::Comparison& comparison : compare_experiment(so_far, how)) {
        for (const analyzers::Delta& row : comparison.deltas) {
            if (row.is_primary && is_open(row)) {
                return false;
            }
        }
        if (analyzers::gates_kernels(how.policy)
            && std::any_of(comparison.kernels.begin(), comparison.kernels.end(), is_open)) {
            return false;
        }
    }
    return true;
}

} // namespace kvprof::cli
