#include "analyzers/judge_exact.h"

#include "analyzers/validity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace kvprof::analyzers {

namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
/// Free memory of a device moves in such steps.
constexpr double kDeviceStep = 2.0 * kMebibyte;

bool is_constant(const Summary& summary) {
    return summary.min == summary.max;
}

/// "41, 42": what the runs of the sides that disagree have.
std::string values_that_disagree(const Delta& row) {
    std::vector<double> values;
    for (const SideValues* side : {&row.base, &row.candidate}) {
        if (!is_constant(*side->summary)) {
            values.insert(values.end(), side->values.begin(), side->values.end());
        }
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<std::string> words;
    for (const double value : values) {
        words.push_back(format_value(row.metric->unit, value));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// What the policy allows an exact metric to change by; a change counts above each limit.
double allowed(const Limits& limits, double base) {
    return std::max(limits.absolute.value_or(0.0), limits.ratio.value_or(0.0) * std::abs(base));
}

Verdict by_direction(double difference, Direction better) {
    const bool is_better = better == Direction::higher ? difference > 0.0 : difference < 0.0;
    return is_better ? Verdict::improved : Verdict::regressed;
}

double range_of(const SideValues& side) {
    return side.summary->max - side.summary->min;
}

} // namespace

void judge_exact(Delta& shown, const CaseFacts& facts) {
    if (!is_constant(*shown.base.summary) || !is_constant(*shown.candidate.summary)) {
        shown.verdict = Verdict::inconclusive;
        shown.reason = fmt::format("nondeterministic: {}", values_that_disagree(shown));
        return;
    }
    shown.reason = "exact";
    const double difference = *shown.difference;
    const Direction better = shown.metric->better;
    const double limit =
        allowed(limits_for(facts.how->policy, shown.id, *shown.metric), shown.base.summary->median);
    if (limit > 0.0) {
        shown.threshold = limit;
    }
    if (difference == 0.0) {
        shown.verdict = Verdict::same;
    } else if (better == Direction::neither && !shown.is_primary) {
        shown.reason = "exact; explains, not judged";
    } else if (std::abs(difference) <= limit) {
        shown.verdict = Verdict::same;
        shown.remarks.push_back("differs by no more than the policy allows");
    } else if (better == Direction::neither) {
        shown.verdict = Verdict::regressed;
        shown.is_confirmed = true;
        shown.reason = "changed";
    } else {
        shown.verdict = by_direction(difference, better);
        shown.is_confirmed = true;
    }
}

bool is_device_wide(const MetricDef& metric) {
    return metric.id == "device_free.<name>.bytes" || metric.id == "graph_memory.<mark>.bytes"
           || metric.id == "graph_memory.peak.bytes";
}

void judge_device_wide(Row& row, const CaseFacts& facts) {
    Delta& shown = row.shown;
    shown.verdict = Verdict::inconclusive;
    const double difference = *shown.difference;
    if (difference == 0.0) {
        shown.reason = "source-cannot-prove-zero";
        return;
    }
    if (has_tenant(*facts.base) || has_tenant(*facts.candidate)) {
        shown.reason = "unstable-machine";
        shown.remarks.push_back("another process held memory on the device");
        return;
    }
    const std::optional<MetricNoise> noise = noise_for(shown.id, facts);
    const double between_equals = noise ? noise->floor * std::abs(shown.base.summary->median) : 0.0;
    const double spread =
        std::max({range_of(shown.base), range_of(shown.candidate), between_equals});
    const double limit = std::max(
        {kDeviceStep,
         spread,
         limits_for(facts.how->policy, shown.id, *shown.metric).absolute.value_or(0.0)}
    );
    shown.threshold = limit;
    if (std::abs(difference) <= limit) {
        shown.reason = "source-cannot-prove-zero";
        shown.remarks.push_back(
            fmt::format("{} is what this source resolves here", format_value(Unit::bytes, limit))
        );
    } else if (!noise && std::min(shown.base.values.size(), shown.candidate.values.size()) < 2) {
        shown.reason = "too-few-runs"; // what equal runs differ by is not known
        shown.runs_needed = 2;
    } else {
        shown.verdict = by_direction(difference, shown.metric->better);
        shown.reason = "device-wide";
        shown.is_confirmed = true;
    }
}

} // namespace kvprof::analyzers
