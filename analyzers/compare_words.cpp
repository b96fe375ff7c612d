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

} // namespace

std::vector<std::string> notes_of(const Comparison& comparison) {
    std::vector<std::string> notes;
    for (const auto& [side, role] :
         {std::pair{&comparison.base, "base"}, std::pair{&comparison.candidate, "candidate"}}) {
        for (const ExcludedRun& run : side->excluded) {
            notes.push_back(fmt::format(
                "{}: left out a run that is {}: {}", role, to_string(run.state), run.reason
            ));
        }
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
