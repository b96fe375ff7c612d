#include "analyzers/side_words.h"

#include "analyzers/figures.h"
#include "analyzers/profile_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The values of a fact over the runs of a side, in order of appearance; what is not known says
/// nothing.
std::vector<std::string> known_over(const Side& side, std::string Environment::*fact) {
    std::vector<std::string> values;
    for (const Run& run : side.runs) {
        const std::string& value = run.environment.*fact;
        if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

/// "a -> b"; empty when the sides agree, or one does not know.
std::string change_of(const Comparison& comparison, std::string Environment::*fact) {
    const std::vector<std::string> base = known_over(comparison.base, fact);
    const std::vector<std::string> candidate = known_over(comparison.candidate, fact);
    const bool is_same = base.empty() || candidate.empty() || base == candidate;
    return is_same ? std::string()
                   : fmt::format("{} -> {}", fmt::join(base, ", "), fmt::join(candidate, ", "));
}

bool has_concern(const Comparison& comparison, std::string_view field) {
    return std::any_of(
        comparison.concerns.begin(),
        comparison.concerns.end(),
        [field](const Concern& concern) { return concern.field == field; }
    );
}

std::string change_of_labels(const Comparison& comparison) {
    const std::string& base = comparison.base.label;
    const std::string& candidate = comparison.candidate.label;
    return base == candidate ? std::string() : fmt::format("{} -> {}", base, candidate);
}

std::vector<std::string> with_side(const char* role, std::vector<std::string> lines) {
    for (std::string& line : lines) {
        line = fmt::format("{}: {}", role, line);
    }
    return lines;
}

} // namespace

std::vector<std::string> side_changes(const Comparison& comparison) {
    std::vector<std::string> changes;
    const std::vector<std::string>& treatment = comparison.treatment;
    const std::string labels = change_of_labels(comparison);
    const bool is_program =
        std::find(treatment.begin(), treatment.end(), "program") != treatment.end();
    if (is_program) {
        changes.push_back(labels.empty() ? "program" : "program: " + labels);
    }
    const std::string revision = change_of(comparison, &Environment::git_revision);
    if (!revision.empty() && !has_concern(comparison, "git-revision")) {
        changes.push_back("git-revision: " + revision);
    }
    if (changes.empty() && comparison.spec_changes.empty()) {
        if (compares_profiles(comparison)) {
            changes.push_back(
                labels.empty() ? "imported profiles" : labels + " (imported profiles)"
            );
        } else if (!labels.empty()) {
            changes.push_back("no field differs: " + labels);
        }
    }
    return changes;
}

std::string describe_builds(const Comparison& comparison) {
    std::string builds = change_of(comparison, &Environment::build);
    if (builds.empty()) {
        const std::string ids = change_of(comparison, &Environment::binary);
        builds = ids.empty() ? ids : "build ids " + ids;
    }
    return builds.empty() ? builds : "two builds: " + builds;
}

std::vector<std::string> environments_of(const Comparison& comparison) {
    std::vector<std::string> base = environment_lines(comparison.base.runs);
    std::vector<std::string> candidate = environment_lines(comparison.candidate.runs);
    if (base == candidate || base.empty()) {
        return candidate;
    }
    std::vector<std::string> lines = with_side("base", std::move(base));
    for (std::string& line : with_side("candidate", std::move(candidate))) {
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace kvprof::analyzers
