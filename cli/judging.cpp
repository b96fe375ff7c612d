#include "cli/judging.h"

#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
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
    std::string why;
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        why = "it is a directory";
    } else if (std::ifstream file(path); file) {
        return {std::istreambuf_iterator<char>(file), {}};
    } else {
        why = std::strerror(errno);
    }
    throw UsageError(
        fmt::format("could not read the policy {}: {}", path.string(), why),
        "docs/gating.md shows how a policy is written"
    );
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
    std::error_code missing;
    if (std::filesystem::file_size(path, missing) == 0 || missing) {
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

analyzers::CompareOptions compare_options(const JudgeOptions& options) {
    analyzers::CompareOptions how;
    how.policy = policy_of(options);
    how.treatment = options.treatment;
    how.allowed_mismatch = options.allowed_mismatch;
    how.is_strict_env = options.is_strict_env;
    how.is_unpaired = options.is_unpaired;
    return how;
}

void add_calibrations(analyzers::CompareOptions& how, const std::filesystem::path& store) {
    how.calibrations = calibrations_in(store, static_cast<std::size_t>(how.policy.runs));
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

std::string cases_report(const std::vector<analyzers::Comparison>& cases, Format format) {
    switch (format) {
    case Format::text: return analyzers::cases_text(cases);
    case Format::markdown: return analyzers::cases_markdown(cases);
    case Format::json: return analyzers::cases_json(cases);
    }
    return {};
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
