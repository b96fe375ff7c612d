#include "analyzers/figures.h"

#include "analyzers/change_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace kvprof::analyzers {

namespace {

bool is_exact(const Delta& row) {
    return row.metric->kind == MetricKind::exact;
}

/// A change that no test stands behind: it has no interval, and says so.
std::string untested_change(const Delta& row) {
    const double difference = *row.difference;
    if (difference == 0.0) {
        return "0";
    }
    if (is_exact(row) && row.base.summary->median == 0.0) { // a sampled 0 is a reading
        return "new";
    }
    if (is_exact(row) && row.candidate.summary->median == 0.0) {
        return "gone";
    }
    if (is_exact(row) || row.metric->unit != Unit::nanoseconds || !row.ratio) {
        return signed_value(row.metric->unit, difference) + (is_exact(row) ? "" : " (no interval)");
    }
    SampledTest test;
    test.estimate = *row.ratio;
    test.low = 0.0;
    return change_words(test, row.metric->unit);
}

/// "beyond 1 %, confirmed".
std::string decided_words(const Delta& row) {
    const std::string limit = limit_words(row);
    if (limit.empty()) {
        return row.is_confirmed ? "confirmed" : row.reason;
    }
    return fmt::format("beyond {}, {}", limit, row.is_confirmed ? "confirmed" : "not confirmed");
}

std::string same_words(const Delta& row) {
    std::string words = limit_words(row).empty() ? row.reason : "within " + limit_words(row);
    for (const std::string& remark : row.remarks) {
        words += remark.starts_with("detectable") ? "; " + remark : "";
    }
    return words;
}

std::string judged_words(const Delta& row) {
    switch (*row.verdict) {
    case Verdict::regressed:
    case Verdict::improved: return decided_words(row);
    case Verdict::same: return same_words(row);
    case Verdict::inconclusive:
    case Verdict::not_comparable: return row.reason;
    }
    return {};
}

} // namespace

std::string side_cell(const SideValues& values, const MetricDef& metric) {
    if (!values.summary) {
        return "-";
    }
    const Summary& summary = *values.summary;
    if (metric.kind == MetricKind::exact && summary.min != summary.max) {
        return fmt::format(
            "{} .. {}",
            format_value(metric.unit, summary.min),
            format_value(metric.unit, summary.max)
        );
    }
    return format_value(metric.unit, summary.median);
}

std::string change_cell(const Delta& row) {
    if (!row.difference || (row.verdict == Verdict::not_comparable && !is_exact(row))) {
        return "-";
    }
    const bool is_tested = row.test.has_value() && !is_exact(row);
    return is_tested ? change_words(*row.test, row.metric->unit) : untested_change(row);
}

std::string verdict_cell(const Delta& row) {
    return row.verdict ? std::string(to_string(*row.verdict)) : "-";
}

std::string runs_cell(const Delta& row) {
    return is_exact(row)
               ? "exact"
               : fmt::format("{}+{}", row.base.values.size(), row.candidate.values.size());
}

std::string detectable_cell(const Delta& row) {
    if (is_exact(row)) {
        return {};
    }
    return row.test && row.test->detectable
               ? effect_words(*row.test->detectable, row.test->is_ratio, row.metric->unit)
               : "-";
}

std::string limit_words(const Delta& row) {
    if (row.threshold && is_exact(row)) {
        return format_value(row.metric->unit, *row.threshold);
    }
    if (!row.threshold || !row.test) {
        return {};
    }
    // A limit in bytes or nanoseconds of a small base is thousands of percent.
    const bool is_whole = row.test->is_ratio && *row.threshold > 1.0 && row.base.summary;
    const std::string limit =
        is_whole ? format_value(row.metric->unit, *row.threshold * row.base.summary->median)
                 : effect_words(*row.threshold, row.test->is_ratio, row.metric->unit);
    return row.is_noise_limited ? "the noise floor of " + limit : limit;
}

std::string evidence_cell(const Delta& row) {
    if (!row.verdict || (is_exact(row) && limit_words(row).empty())) {
        // The table's title and its column of runs say this much.
        const std::string reason = row.reason.substr(0, row.reason.find("; explains"));
        return reason == "exact" ? std::string() : reason;
    }
    return judged_words(row) + (row.is_noise_limited ? "; noise-limited" : "");
}

std::string_view unit_words(const Delta& row) {
    return row.is_by_occasion ? "occasions" : "runs";
}

std::string describe_row(const Delta& row) {
    if (!is_exact(row) || !row.base.summary || !row.candidate.summary) {
        return fmt::format("{} {}", row.id, change_cell(row));
    }
    return fmt::format(
        "{} {} -> {} ({})",
        row.id,
        side_cell(row.base, *row.metric),
        side_cell(row.candidate, *row.metric),
        change_cell(row)
    );
}

ShownRows shown_rows(const Comparison& comparison) {
    ShownRows rows;
    for (const Delta& row : comparison.deltas) {
        const bool is_one_sided = row.base.summary.has_value() != row.candidate.summary.has_value();
        const bool differs = is_one_sided || row.difference.value_or(0.0) != 0.0;
        if (row.is_primary) {
            rows.primary.push_back(&row);
        } else if (row.metric->better == Direction::neither && !differs) {
            ++rows.left_out;
        } else {
            (row.verdict ? rows.judged : rows.explaining).push_back(&row);
        }
    }
    return rows;
}

} // namespace kvprof::analyzers
