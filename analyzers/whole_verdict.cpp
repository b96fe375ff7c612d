#include "analyzers/whole_verdict.h"

#include "analyzers/imported_runs.h"
#include "analyzers/metric_names.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_windows.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kvprof::analyzers {

namespace {

bool is_seen(const Side& side, const MetricDef& metric) {
    return std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& run) {
        return observes(run, metric);
    });
}

} // namespace

Verdict worst_of(const std::vector<Verdict>& verdicts) {
    using enum Verdict;
    for (const Verdict verdict : {not_comparable, regressed, inconclusive, improved}) {
        if (std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end()) {
            return verdict;
        }
    }
    return same;
}

Verdict verdict_without_row(
    const Policy& policy, std::string_view name, const Side& base, const Side& candidate
) {
    const bool is_of_profiles = are_imported(base.runs) && are_imported(candidate.runs);
    const std::vector<std::string> ids = ids_between(policy, name, base, candidate);
    if (ids != ids_of(policy, name)) {
        return Verdict::inconclusive; // no figure of a step to judge in the place of totals
    }
    std::vector<const MetricDef*> metrics;
    for (const std::string& id : ids) {
        const MetricDef* const metric = find_metric(id);
        if (metric != nullptr && metric->is_of_profile == is_of_profiles) {
            metrics.push_back(metric);
        }
    }
    if (is_of_profiles && metrics.empty()) {
        return Verdict::same; // profiles have nothing of the kind, and it decides nothing of them
    }
    const bool is_zero = !metrics.empty() && metrics.front()->kind == MetricKind::exact
                         && is_seen(base, *metrics.front()) && is_seen(candidate, *metrics.front());
    return is_zero ? Verdict::same : Verdict::inconclusive;
}

} // namespace kvprof::analyzers
