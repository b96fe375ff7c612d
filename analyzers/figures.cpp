#include "analyzers/figures.h"

#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace kvprof::analyzers {

std::string describe_changes(const std::vector<SpecChange>& changes) {
    if (changes.empty()) {
        return "no field differs";
    }
    std::vector<std::string> lines;
    for (const SpecChange& change : changes) {
        const auto word = [](const std::string& value) { return value.empty() ? "(none)" : value; };
        lines.push_back(
            fmt::format("{}: {} -> {}", change.name, word(change.base), word(change.candidate))
        );
    }
    return fmt::format("{}", fmt::join(lines, "; "));
}

std::string describe_verdict(const Comparison& comparison) {
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
    const std::string_view word = to_string(comparison.verdict);
    return counts.empty() ? std::string(word)
                          : fmt::format("{} ({})", word, fmt::join(counts, ", "));
}

std::string describe_sides(const Comparison& comparison) {
    const std::string runs =
        fmt::format("{} + {} runs", comparison.base.runs.size(), comparison.candidate.runs.size());
    if (!comparison.concerns.empty()) {
        return fmt::format("{}; concerns: {}", runs, comparison.concerns.size());
    }
    const char* equal = comparison.spec_changes.empty() ? "" : "everything else equal; ";
    return fmt::format("{}same device and build; {}", equal, runs);
}

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
    if (!row.difference || row.verdict == Verdict::not_comparable) {
        return "-";
    }
    const double difference = *row.difference;
    if (difference == 0.0) {
        return "0";
    }
    const bool is_exact = row.metric->kind == MetricKind::exact; // a sampled 0 is a reading
    if (is_exact && row.base.summary->median == 0.0) {
        return "new";
    }
    if (is_exact && row.candidate.summary->median == 0.0) {
        return "gone";
    }
    if (row.metric->unit == Unit::nanoseconds && row.ratio) {
        return fmt::format("{:+.1f} %", (*row.ratio - 1.0) * 100.0);
    }
    return (difference > 0.0 ? "+" : "-") + format_value(row.metric->unit, std::abs(difference));
}

std::string verdict_cell(const Delta& row) {
    return row.verdict ? std::string(to_string(*row.verdict)) : "-";
}

std::string evidence_cell(const Delta& row) {
    if (row.metric->kind == MetricKind::exact || row.verdict == Verdict::not_comparable) {
        return row.reason;
    }
    return fmt::format(
        "{} ({} + {})", row.reason, row.base.values.size(), row.candidate.values.size()
    );
}

ShownRows shown_rows(const Comparison& comparison) {
    ShownRows rows;
    for (const Delta& row : comparison.deltas) {
        const bool is_one_sided = row.base.summary.has_value() != row.candidate.summary.has_value();
        const bool differs = is_one_sided || row.difference.value_or(0.0) != 0.0;
        if (row.metric->better == Direction::neither && !differs) {
            ++rows.left_out;
        } else {
            (row.verdict ? rows.judged : rows.explaining).push_back(&row);
        }
    }
    return rows;
}

} // namespace kvprof::analyzers
