#include "analyzers/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

bool is_declared(const Comparison& comparison, const std::string& field) {
    return std::find(comparison.treatment.begin(), comparison.treatment.end(), field)
           != comparison.treatment.end();
}

/// Whether all runs have a place in an A/B experiment and the sides' runs came in turns.
bool is_interleaved(const Comparison& comparison) {
    const std::vector<Run>& base = comparison.base.runs;
    const std::vector<Run>& candidate = comparison.candidate.runs;
    const auto has_place = [](const Run& run) { return run.ab.has_value(); };
    if (base.empty() || candidate.empty() || !std::all_of(base.begin(), base.end(), has_place)
        || !std::all_of(candidate.begin(), candidate.end(), has_place)) {
        return false;
    }
    const auto earlier = [](const Run& a, const Run& b) { return a.started_at < b.started_at; };
    const auto [base_first, base_last] = std::minmax_element(base.begin(), base.end(), earlier);
    const auto [first, last] = std::minmax_element(candidate.begin(), candidate.end(), earlier);
    return base_first->started_at <= last->started_at && first->started_at <= base_last->started_at;
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

std::vector<std::string> blocking_texts(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const Concern& concern : comparison.concerns) {
        if (concern.severity == Severity::blocks) {
            texts.push_back(concern.text);
        }
    }
    return texts;
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
    for (const std::string& field : comparison.treatment) { // "program" is no field of a step
        const bool is_named = std::any_of(
            comparison.spec_changes.begin(),
            comparison.spec_changes.end(),
            [&](const SpecChange& change) { return change.name == field; }
        );
        if (!is_named) {
            lines.push_back(field);
        }
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
    words += is_interleaved(comparison) ? ", interleaved" : "";
    if (const std::size_t voided = excluded_runs(comparison, true); voided > 0) {
        words += fmt::format(", {} void and replaced", voided);
    }
    if (const std::size_t excluded = excluded_runs(comparison, false); excluded > 0) {
        words += fmt::format(", {} left out", excluded);
    }
    if (!comparison.concerns.empty()) {
        return fmt::format("{}; concerns: {}", words, comparison.concerns.size());
    }
    words += comparison.spec_changes.empty() ? "" : "; everything else equal";
    return words + "; same device and build";
}

std::vector<std::string> verdict_reasons(const Comparison& comparison) {
    if (comparison.verdict == Verdict::not_comparable) {
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
        const bool is_equal = row.verdict == Verdict::same && limit_words(row).empty();
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
