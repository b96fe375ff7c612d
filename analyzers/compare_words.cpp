#include "analyzers/compare_words.h"

#include "analyzers/limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// A freed block that an allocator keeps moves the ledger and not the device's figure.
bool is_cached_block(const Comparison& comparison) {
    const auto any_of = [&](std::string_view prefix, auto&& test) {
        return std::any_of(
            comparison.deltas.begin(),
            comparison.deltas.end(),
            [&](const Delta& row) {
                return row.id.starts_with(prefix) && row.difference && test(*row.difference);
            }
        );
    };
    return any_of("device_free.", [](double difference) { return difference == 0.0; })
           && any_of("ledger.", [](double difference) { return difference != 0.0; });
}

/// "whether step.gpu_time, step.wall_time changed: too-few-runs", a line for each reason.
std::vector<std::string> undecided(const Comparison& comparison) {
    std::map<std::string, std::vector<std::string>> ids;
    for (const Delta& row : comparison.deltas) {
        if (row.metric->kind == MetricKind::sampled && row.verdict == Verdict::inconclusive) {
            ids[row.reason].push_back(row.id);
        }
    }
    std::vector<std::string> lines;
    for (const auto& [reason, rows] : ids) {
        lines.push_back(fmt::format("whether {} changed: {}", fmt::join(rows, ", "), reason));
    }
    return lines;
}

/// "not-steady" and "2.4 % after 10 s" of a void run's reason; all of another's is its detail.
std::pair<std::string, std::string> split_reason(const ExcludedRun& run) {
    const std::size_t colon = run.reason.find(": ");
    if (run.state != RunState::voided || colon == std::string::npos) {
        return {run.reason, {}};
    }
    return {run.reason.substr(0, colon), run.reason.substr(colon + 2)};
}

/// Excluded runs of one kind, in words.
std::string excluded_words(const ExcludedRun& first, std::size_t count, const char* role) {
    if (count == 1) {
        return fmt::format(
            "{}: left out a run that is {}: {}", role, to_string(first.state), first.reason
        );
    }
    const auto [kind, detail] = split_reason(first);
    return fmt::format(
        "{}: {} runs {}: {}{}",
        role,
        count,
        first.state == RunState::voided
            ? std::string("void and replaced")
            : fmt::format("left out that are {}", to_string(first.state)),
        kind,
        detail.empty() ? "" : "; first: " + detail
    );
}

/// One line for each kind of excluded run.
void add_excluded(const Side& side, const char* role, std::vector<std::string>& notes) {
    std::vector<std::pair<const ExcludedRun*, std::size_t>> kinds;
    for (const ExcludedRun& run : side.excluded) {
        const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
            return kind.first->state == run.state
                   && split_reason(*kind.first).first == split_reason(run).first;
        });
        if (known == kinds.end()) {
            kinds.emplace_back(&run, 1);
        } else {
            ++known->second;
        }
    }
    for (const auto& [first, count] : kinds) {
        notes.push_back(excluded_words(*first, count, role));
    }
}

} // namespace

std::vector<std::string> blocking_texts(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const Concern& concern : comparison.concerns) {
        if (concern.severity == Severity::blocks) {
            texts.push_back(concern.text);
        }
    }
    return texts;
}

std::vector<std::string> notes_of(const Comparison& comparison) {
    std::vector<std::string> notes;
    for (const auto& [side, role] :
         {std::pair{&comparison.base, "base"}, std::pair{&comparison.candidate, "candidate"}}) {
        add_excluded(*side, role, notes);
        for (std::size_t i = 0; i < side->runs.size(); ++i) {
            for (const std::string& note : side->runs[i].notes) {
                notes.push_back(fmt::format("{} run {}: {}", role, i + 1, note));
            }
        }
    }
    return notes;
}

std::vector<std::string> not_measured(const Comparison& comparison) {
    std::vector<std::string> lines = undecided(comparison);
    if (is_cached_block(comparison)) {
        lines.emplace_back(
            "that the device's memory stayed equal: device-free did not move while the ledger did, "
            "so the request was satisfied from a cached block"
        );
    }
    std::vector<Run> runs = comparison.base.runs;
    runs.insert(runs.end(), comparison.candidate.runs.begin(), comparison.candidate.runs.end());
    for (std::string& limit : limits_of(runs)) {
        lines.push_back(std::move(limit));
    }
    return lines;
}

} // namespace kvprof::analyzers
