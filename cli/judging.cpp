#include "cli/judging.h"

#include "capture/model/error.h"
#include "db/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace kvprof::cli {

namespace {

/// Of the splits of a calibration: the same floor on every machine.
constexpr std::uint64_t kSplitSeed = 0;

std::string read_policy(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || std::filesystem::is_directory(path)) {
        throw UsageError(
            fmt::format("could not read the policy {}: {}", path.string(), std::strerror(errno)),
            "kvprof help gate shows how a policy is written"
        );
    }
    return text;
}

} // namespace

analyzers::Policy policy_of(const JudgeOptions& options) {
    std::error_code ignored;
    const auto path =
        options.policy
            ? options.policy
            : db::config_path(db::path_environment(), std::filesystem::current_path(ignored));
    return path ? analyzers::parse_policy(read_policy(*path), path->string()) : analyzers::Policy{};
}

analyzers::Calibration calibration_of(const Experiment& experiment, std::size_t runs_a_side) {
    return analyzers::calibration_of(experiment, kSplitSeed, runs_a_side);
}

std::vector<analyzers::Calibration>
calibrations_in(const std::filesystem::path& path, std::size_t runs_a_side) {
    std::vector<analyzers::Calibration> calibrations;
    if (std::error_code ignored; !std::filesystem::exists(path, ignored)) {
        return calibrations;
    }
    const db::Store store(path, db::OpenMode::read);
    for (const db::ExperimentSummary& stored : store.list_experiments()) {
        if (stored.kind != ExperimentKind::calibration) {
            continue;
        }
        try {
            calibrations.push_back(calibration_of(store.load_experiment(stored.uuid), runs_a_side));
        } catch (const UsageError&) {
            continue; // too few of its runs are complete: it says nothing of noise
        }
    }
    return calibrations;
}

analyzers::CompareOptions
compare_options(const JudgeOptions& options, const std::filesystem::path& store) {
    analyzers::CompareOptions how;
    how.policy = policy_of(options);
    how.treatment = options.treatment;
    how.allowed_mismatch = options.allowed_mismatch;
    how.is_strict_env = options.is_strict_env;
    how.is_unpaired = options.is_unpaired;
    how.calibrations = calibrations_in(store, static_cast<std::size_t>(how.policy.runs));
    return how;
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
    const std::vector<std::string>& treatment = experiment.ab->treatment;
    own.treatment.insert(own.treatment.end(), treatment.begin(), treatment.end());
    own.is_interleaved = true;
    own.looks = experiment.ab->looks;
    return analyzers::compare_cases(analyzers::cases_of(experiment), own);
}

bool is_decided(const Experiment& so_far, const analyzers::CompareOptions& how) {
    for (const analyzers::Comparison& comparison : compare_experiment(so_far, how)) {
        for (const analyzers::Delta& row : comparison.deltas) {
            if (row.is_primary && row.test && row.verdict == analyzers::Verdict::inconclusive) {
                return false;
            }
        }
    }
    return true;
}

} // namespace kvprof::cli
