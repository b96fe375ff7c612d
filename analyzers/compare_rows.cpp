#include "analyzers/compare_rows.h"

#include "analyzers/metrics_of.h"
#include "analyzers/validity.h"
#include "stats/median.h"
#include "stats/outliers.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// A metric under one name.
struct Key {
    const MetricDef* metric = nullptr;
    std::string_view id;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        return std::hash<const MetricDef*>()(key.metric) * 31U
               + std::hash<std::string_view>()(key.id);
    }
};

/// The metrics of each run of a side, found by their names.
class SideMetrics {
  public:
    explicit SideMetrics(const Side& side) {
        for (const Run& run : side.runs) {
            runs_.push_back(metrics_of(run));
        }
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            for (const Series& series : runs_[run]) {
                ByRun& values = values_[{series.metric, series.id}];
                values.resize(runs_.size());
                values[run] = stats::median(series.values);
            }
        }
    }

    [[nodiscard]] const std::vector<std::vector<Series>>& runs() const { return runs_; }

    /// One for each run, all of them nothing when no run has the metric.
    [[nodiscard]] ByRun of(const Key& key) const {
        const auto found = values_.find(key);
        return found == values_.end() ? ByRun(runs_.size()) : found->second;
    }

  private:
    std::vector<std::vector<Series>> runs_; // keeps the ids that the keys look at
    std::unordered_map<Key, ByRun, KeyHash> values_;
};

/// Counts, and the time of an op: a step without the op spends none on it. What is not there has
/// no share of anything.
bool is_zero_when_absent(const MetricDef& metric) {
    return (metric.kind == MetricKind::exact && metric.unit != Unit::ratio)
           || metric.id == "op.<name>.time";
}

void fill_absent(const Side& side, const MetricDef& metric, ByRun& values) {
    if (!is_zero_when_absent(metric)) {
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i] && observes(side.runs[i], metric)) {
            values[i] = 0.0; // an op, a call or a buffer that the step does not have
        }
    }
}

/// What a side has seen of a pass.
struct Sight {
    bool has_seen = false;
    bool has_failed = false;
};

Sight sight_of(const Side& side, const MetricDef& metric) {
    const bool has_seen = std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& run) {
        return observes(run, metric);
    });
    return {has_seen, !has_seen && has_capture_failure(side, metric.pass)};
}

/// Whether each side observed the metric, or tried: else there is nothing to compare, and `not
/// measured` says what did not run.
bool is_observed(const Side& base, const Side& candidate, const MetricDef& metric) {
    const Sight first = sight_of(base, metric);
    const Sight second = sight_of(candidate, metric);
    return (first.has_seen || first.has_failed) && (second.has_seen || second.has_failed);
}

void show_side(const MetricDef& metric, std::vector<double> values, SideValues& side) {
    side.summary = summarise(values);
    side.outliers =
        metric.kind == MetricKind::sampled ? stats::outliers(values) : std::vector<std::size_t>();
    side.values = std::move(values);
}

std::vector<Row> rows_without_values(const SideMetrics& base, const SideMetrics& candidate) {
    std::vector<Row> rows;
    std::unordered_map<Key, bool, KeyHash> is_known;
    for (const SideMetrics* side : {&base, &candidate}) {
        for (const std::vector<Series>& run : side->runs()) {
            for (const Series& series : run) {
                if (is_known.emplace(Key{series.metric, series.id}, true).second) {
                    Delta& row = rows.emplace_back().shown;
                    row.id = series.id;
                    row.metric = series.metric;
                }
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.shown.metric < b.shown.metric;
    });
    return rows;
}

} // namespace

std::vector<Row> rows_of(const Side& base, const Side& candidate) {
    const SideMetrics base_metrics(base);
    const SideMetrics candidate_metrics(candidate);
    std::vector<Row> rows = rows_without_values(base_metrics, candidate_metrics);
    std::unordered_map<const MetricDef*, bool> observed;
    std::erase_if(rows, [&](const Row& row) {
        const MetricDef& metric = *row.shown.metric;
        const auto [known, is_new] = observed.emplace(&metric, false);
        if (is_new) {
            known->second = is_observed(base, candidate, metric);
        }
        return !known->second;
    });
    for (Row& row : rows) {
        const MetricDef& metric = *row.shown.metric;
        row.base = base_metrics.of({&metric, row.shown.id});
        row.candidate = candidate_metrics.of({&metric, row.shown.id});
        fill_absent(base, metric, row.base);
        fill_absent(candidate, metric, row.candidate);
        show_values(row);
    }
    return rows;
}

void show_values(Row& row) {
    show_values(row, values_of(row.base), values_of(row.candidate));
}

void show_values(Row& row, std::vector<double> base, std::vector<double> candidate) {
    Delta& shown = row.shown;
    show_side(*shown.metric, std::move(base), shown.base);
    show_side(*shown.metric, std::move(candidate), shown.candidate);
    shown.difference.reset();
    shown.ratio.reset();
    if (!shown.base.summary || !shown.candidate.summary) {
        return;
    }
    shown.difference = shown.candidate.summary->median - shown.base.summary->median;
    if (shown.base.summary->median != 0.0) {
        shown.ratio = shown.candidate.summary->median / shown.base.summary->median;
    }
}

std::vector<double> values_of(const ByRun& by_run) {
    std::vector<double> values;
    for (const std::optional<double>& value : by_run) {
        if (value) {
            values.push_back(*value);
        }
    }
    return values;
}

} // namespace kvprof::analyzers
