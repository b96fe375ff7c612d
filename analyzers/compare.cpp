#include "analyzers/compare.h"

#include "analyzers/limits.h"
#include "analyzers/metrics_of.h"
#include "analyzers/spec_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Below this many runs a side no exact rank test can reach 5 %.
constexpr std::size_t kFewestRuns = 4;

/// The metrics of each complete run of a side.
using SideMetrics = std::vector<std::vector<Series>>;

SideMetrics metrics_of(const Side& side) {
    SideMetrics metrics;
    for (const Run& run : side.runs) {
        metrics.push_back(analyzers::metrics_of(run));
    }
    return metrics;
}

bool is_of(const Series& series, const Delta& row) {
    return series.metric == row.metric && series.id == row.id;
}

std::vector<Delta> rows_of(const SideMetrics& base, const SideMetrics& candidate) {
    std::vector<Delta> rows;
    for (const SideMetrics* side : {&base, &candidate}) {
        for (const std::vector<Series>& run : *side) {
            for (const Series& series : run) {
                const bool is_known = std::any_of(rows.begin(), rows.end(), [&](const Delta& row) {
                    return is_of(series, row);
                });
                if (!is_known) {
                    Delta& row = rows.emplace_back();
                    row.id = series.id;
                    row.metric = series.metric;
                }
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Delta& a, const Delta& b) {
        return a.metric < b.metric;
    });
    return rows;
}

/// Counts, and the time of an op: a step without the op spends none on it. What is not there has
/// no share of anything.
bool is_zero_when_absent(const MetricDef& metric) {
    return (metric.kind == MetricKind::exact && metric.unit != Unit::ratio)
           || metric.id == "op.<name>.time";
}

/// Whether each side has a run with the pass that observes the row's metric: else there is nothing
/// to compare, and `not measured` says what did not run.
bool is_observed(const Comparison& comparison, const Delta& row) {
    const auto is_seen = [&](const Side& side) {
        return std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& run) {
            return observes(run, *row.metric);
        });
    };
    return is_seen(comparison.base) && is_seen(comparison.candidate);
}

/// One value a run: the only one of an exact metric, the median of a sampled one.
SideValues values_of(const Side& side, const SideMetrics& metrics, const Delta& row) {
    SideValues side_values;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const std::vector<Series>& run = metrics[i];
        const auto found = std::find_if(run.begin(), run.end(), [&](const Series& series) {
            return is_of(series, row);
        });
        if (found != run.end()) {
            side_values.values.push_back(median(found->values));
        } else if (is_zero_when_absent(*row.metric) && observes(side.runs[i], *row.metric)) {
            // An op, a call or a buffer that the step does not have.
            side_values.values.push_back(0.0);
        }
    }
    side_values.summary = summarise(side_values.values);
    return side_values;
}

void set_difference(Delta& row) {
    if (!row.base.summary || !row.candidate.summary) {
        return;
    }
    row.difference = row.candidate.summary->median - row.base.summary->median;
    if (row.base.summary->median != 0.0) {
        row.ratio = row.candidate.summary->median / row.base.summary->median;
    }
}

bool is_constant(const Summary& summary) {
    return summary.min == summary.max;
}

void judge_exact(Delta& row) {
    if (!is_constant(*row.base.summary) || !is_constant(*row.candidate.summary)) {
        row.verdict = Verdict::inconclusive;
        row.reason = "nondeterministic: the runs of a side disagree";
        return;
    }
    row.reason = "exact";
    const double difference = *row.difference;
    if (difference == 0.0) {
        row.verdict = Verdict::same;
        return;
    }
    switch (row.metric->better) {
    case Direction::lower:
        row.verdict = difference < 0.0 ? Verdict::improved : Verdict::regressed;
        break;
    case Direction::higher:
        row.verdict = difference > 0.0 ? Verdict::improved : Verdict::regressed;
        break;
    case Direction::neither: row.reason = "exact; explains, not judged"; break;
    }
}

void judge_sampled(Delta& row) {
    if (row.metric->better == Direction::neither) {
        row.reason = "traced; explains, not judged";
        return;
    }
    row.verdict = Verdict::inconclusive;
    const bool is_device_free = row.metric->unit == Unit::bytes; // the only bytes that are sampled
    if (is_device_free && *row.difference == 0.0) {
        row.reason = "source-cannot-prove-zero";
        return;
    }
    const std::size_t fewest = std::min(row.base.summary->n, row.candidate.summary->n);
    row.reason = fewest < kFewestRuns ? "too-few-runs" : "not-tested";
}

/// The fields that forbid to compare a metric of this kind; empty when nothing does.
std::string forbidden_by(const std::vector<Concern>& concerns, MetricKind kind) {
    std::vector<std::string> fields;
    for (const Concern& concern : concerns) {
        const bool is_blocked =
            concern.severity == Severity::blocks
            || (concern.severity == Severity::blocks_times && kind == MetricKind::sampled);
        if (is_blocked) {
            fields.push_back(concern.field);
        }
    }
    return fmt::format("{}", fmt::join(fields, ", "));
}

void judge(Delta& row, const std::vector<Concern>& concerns) {
    const std::string fields = forbidden_by(concerns, row.metric->kind);
    if (!fields.empty()) {
        row.verdict = Verdict::not_comparable;
        row.reason = fields;
    } else if (!row.base.summary || !row.candidate.summary) {
        // A pass that ran and gave no value could not resolve it; a step without a time has none.
        if (row.metric->better != Direction::neither) {
            row.verdict =
                row.metric->pass == Pass::timing ? Verdict::not_comparable : Verdict::inconclusive;
        }
        row.reason = row.base.summary ? "the candidate has no value" : "the base has no value";
    } else if (row.metric->kind == MetricKind::exact) {
        judge_exact(row);
    } else {
        judge_sampled(row);
    }
}

Verdict verdict_of(const Comparison& comparison) {
    const bool is_blocked = std::any_of(
        comparison.concerns.begin(),
        comparison.concerns.end(),
        [](const Concern& concern) { return concern.severity == Severity::blocks; }
    );
    if (is_blocked) {
        return Verdict::not_comparable;
    }
    for (const Verdict verdict : {Verdict::regressed, Verdict::inconclusive, Verdict::improved}) {
        const bool is_any =
            std::any_of(comparison.deltas.begin(), comparison.deltas.end(), [&](const Delta& row) {
                return row.verdict == verdict;
            });
        if (is_any) {
            return verdict;
        }
    }
    return Verdict::same;
}

std::vector<std::string> notes_of(const Comparison& comparison) {
    std::vector<std::string> notes;
    constexpr std::array<const char*, 2> kRoles{"base", "candidate"};
    const std::array<const Side*, 2> sides{&comparison.base, &comparison.candidate};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (const ExcludedRun& run : sides[i]->excluded) {
            notes.push_back(fmt::format(
                "{}: left out a run that is {}: {}", kRoles[i], to_string(run.state), run.reason
            ));
        }
        for (const Run& run : sides[i]->runs) {
            for (const std::string& note : run.notes) {
                notes.push_back(fmt::format("{} run {}: {}", kRoles[i], run.repeat + 1, note));
            }
        }
    }
    return notes;
}

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

std::vector<std::string> not_measured(const Comparison& comparison) {
    std::vector<std::string> lines;
    const bool has_sampled =
        std::any_of(comparison.deltas.begin(), comparison.deltas.end(), [](const Delta& row) {
            return row.metric->kind == MetricKind::sampled && row.verdict == Verdict::inconclusive;
        });
    if (has_sampled) {
        lines.emplace_back(
            "whether sampled metrics differ: their values are shown, and no significance test is "
            "made"
        );
    }
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

} // namespace

Comparison compare(const Side& base, const Side& candidate) {
    Comparison comparison;
    comparison.base = base;
    comparison.candidate = candidate;
    comparison.spec_changes = changes_between(
        params_of(base.step, base.measure), params_of(candidate.step, candidate.measure)
    );
    comparison.concerns = comparability(base, candidate);
    const SideMetrics base_metrics = metrics_of(base);
    const SideMetrics candidate_metrics = metrics_of(candidate);
    comparison.deltas = rows_of(base_metrics, candidate_metrics);
    std::erase_if(comparison.deltas, [&](const Delta& row) {
        return !is_observed(comparison, row);
    });
    for (Delta& row : comparison.deltas) {
        row.base = values_of(base, base_metrics, row);
        row.candidate = values_of(candidate, candidate_metrics, row);
        set_difference(row);
        judge(row, comparison.concerns);
    }
    comparison.verdict = verdict_of(comparison);
    comparison.notes = notes_of(comparison);
    comparison.not_measured = not_measured(comparison);
    return comparison;
}

ExitCode exit_code_of(const Comparison& comparison) {
    ExitCode code =
        comparison.verdict == Verdict::not_comparable ? ExitCode::not_comparable : ExitCode::done;
    for (const Delta& row : comparison.deltas) {
        if (row.verdict == Verdict::not_comparable) {
            code = ExitCode::not_comparable;
        } else if (row.metric->kind == MetricKind::exact && row.difference.value_or(0.0) != 0.0) {
            code = std::max(code, ExitCode::difference);
        }
    }
    return code;
}

} // namespace kvprof::analyzers
