#include "analyzers/compare_words.h"
#include "analyzers/figures.h"
#include "analyzers/side_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

bool is_declared(const Comparison& comparison, const std::string& field) {
    return std::find(comparison.treatment.begin(), comparison.treatment.end(), field)
           != comparison.treatment.end();
}

std::size_t excluded_runs(const Comparison& comparison, bool is_void) {
    const auto count = [&](const Side& side) {
        return std::count_if(
            side.excluded.begin(),
            side.excluded.end(),
            [&](const ExcludedRun& run) { return (run.state == RunState::voided) == is_void; }
        );
    };
    return static_cast<std::size_t>(count(comparison.base) + count(comparison.candidate));
}

std::string limit_of(const Delta& row) {
    const std::string limit = limit_words(row);
    if (limit.empty()) {
        return {};
    }
    const std::string what = row.is_noise_limited ? limit : "the limit of " + limit;
    return row.is_confirmed ? ", beyond " + what
                            : ", beyond " + what + " (its interval reaches below)";
}

std::string reason_of(const Delta& row) {
    switch (*row.verdict) {
    case Verdict::regressed:
    case Verdict::improved: return describe_row(row) + limit_of(row);
    case Verdict::same: return describe_row(row) + ", within " + limit_words(row);
    case Verdict::inconclusive:
    case Verdict::not_comparable: return fmt::format("{}: {}", describe_row(row), row.reason);
    }
    return {};
}

/// Rows that are equal to the last digit need no line each.
std::string equal_rows(const std::vector<const Delta*>& rows) {
    std::vector<std::string> names;
    for (const Delta* row : rows) {
        names.push_back(row->id);
    }
    return fmt::format("{} equal", fmt::join(names, ", "));
}

} // namespace

std::string describe_changes(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const SpecChange& change : comparison.spec_changes) {
        const auto word = [](const std::string& value) { return value.empty() ? "(none)" : value; };
        lines.push_back(
            fmt::format("{}: {} -> {}", change.name, word(change.base), word(change.candidate))
            + (is_declared(comparison, change.name) ? "" : " (not declared)")
        );
    }
    for (const std::string& field : comparison.treatment) {
        const bool is_named = std::any_of(
            comparison.spec_changes.begin(),
            comparison.spec_changes.end(),
            [&](const SpecChange& change) { return change.name == field; }
        );
        if (!is_named && field != "program") {
            lines.push_back(field);
        }
    }
    for (std::string& change : side_changes(comparison)) {
        lines.push_back(std::move(change));
    }
    return lines.empty() ? "no field differs" : fmt::format("{}", fmt::join(lines, "; "));
}

std::string describe_counts(const Comparison& comparison) {
    std::vector<std::string> counts;
    for (const auto& [verdict, name] : EnumNames<Verdict>::values) {
        const auto count = std::count_if(
            comparison.deltas.begin(),
            comparison.deltas.end(),
            [&, wanted = verdict](const Delta& row) { return row.verdict == wanted; }
        );
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", count, name));
        }
    }
    return counts.empty() ? "no row is judged" : fmt::format("{}", fmt::join(counts, ", "));
}

std::string describe_sides(const Comparison& comparison) {
    std::string words =
        fmt::format("{} + {} runs", comparison.base.runs.size(), comparison.candidate.runs.size());
    words += comparison.is_interleaved ? ", interleaved" : "";
    if (const std::size_t voided = excluded_runs(comparison, true); voided > 0) {
        words += fmt::format(", {} void and replaced", voided);
    }
    if (const std::size_t excluded = excluded_runs(comparison, false); excluded > 0) {
        words += fmt::format(", {} left out", excluded);
    }
    const std::string builds = describe_builds(comparison);
    if (!comparison.concerns.empty()) {
        words += builds.empty() ? "" : "; " + builds;
        return fmt::format("{}; concerns: {}", words, comparison.concerns.size());
    }
    words += comparison.spec_changes.empty() ? "" : "; everything else equal";
    return words + (builds.empty() ? "; same device and build" : "; same device; " + builds);
}

std::vector<std::string> verdict_reasons(const Comparison& comparison) {
    if (is_blocked(comparison)) {
        return blocking_texts(comparison);
    }
    std::vector<std::string> reasons;
    std::vector<const Delta*> equal;
    bool is_any_primary = false;
    for (const Delta& row : comparison.deltas) {
        is_any_primary = is_any_primary || row.is_primary;
        if (!row.is_primary || row.verdict != comparison.verdict) {
            continue;
        }
        const bool is_equal = row.verdict == Verdict::same && !row.test && row.difference == 0.0;
        if (is_equal) {
            equal.push_back(&row);
        } else {
            reasons.push_back(reason_of(row));
        }
    }
    if (!equal.empty()) {
        reasons.push_back(equal_rows(equal));
    }
    if (!is_any_primary) {
        reasons.emplace_back("no primary metric was measured on both sides");
    }
    return reasons;
}

} // namespace kvprof::analyzers
