#include "analyzers/whole_verdict.h"

#include "analyzers/metric_names.h"
#include "analyzers/metrics_of.h"

#include <algorithm>
#include <string>

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
    const std::vector<std::string> ids = ids_of(policy, name);
    const MetricDef* const metric = ids.empty() ? nullptr : find_metric(ids.front());
    const bool is_zero = metric != nullptr && metric->kind == MetricKind::exact
                         && is_seen(base, *metric) && is_seen(candidate, *metric);
    return is_zero ? Verdict::same : Verdict::inconclusive;
}

} // namespace kvprof::analyzers
