#include "analyzers/gate_words.h"

#include "analyzers/change_words.h"
#include "analyzers/figures.h"
#include "stats/detectable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvprof::analyzers {

namespace {

// The last line is short: "+1.49%", where tables have "+1.49 %".

/// "+1.49", and "+0.00" for what rounds to 0.
std::string signed_percent(double share) {
    const double rounded = std::round(share * 1e4) / 1e2 + 0.0;
    return fmt::format("{:+.2f}", rounded == 0.0 ? 0.0 : rounded);
}

/// "1%", "0.5%", "1.63%".
std::string plain_percent(double share) {
    return fmt::format("{:g}%", std::round(share * 1e4) / 1e2);
}

Unit unit_of(const RowFacts& row) {
    return row.metric != nullptr && row.metric->metric != nullptr ? row.metric->metric->unit
                                                                  : Unit::nanoseconds;
}

std::string tested_change(const RowFacts& row) {
    const SampledTest& test = *row.test;
    const auto shown = [&](double value) {
        return test.is_ratio ? signed_percent(value - 1.0) : signed_value(unit_of(row), value);
    };
    const std::string interval = has_interval(test)
                                     ? fmt::format("{}, {}", shown(test.low), shown(test.high))
                                     : "no interval";
    return fmt::format("{}{} [{}]", shown(test.estimate), test.is_ratio ? "%" : "", interval);
}

double median_of(const SideValues& side) {
    return side.summary ? side.summary->median : 0.0;
}

std::string exact_change(const RowFacts& row) {
    const double base = median_of(row.metric->base);
    const double candidate = median_of(row.metric->candidate);
    const std::string value = format_value(unit_of(row), candidate);
    if (base == candidate) {
        return value;
    }
    return fmt::format(
        "{} -> {} ({})",
        format_value(unit_of(row), base),
        value,
        signed_value(unit_of(row), candidate - base)
    );
}

/// A ratio less 1, or a difference.
std::string short_size(const RowFacts& row, double size) {
    const bool is_ratio = row.test != nullptr && row.test->is_ratio;
    return is_ratio ? plain_percent(size) : format_value(unit_of(row), size);
}

/// Whether an exact value changed, and the policy allows it to change by something.
bool is_exact_with_limit(const RowFacts& row) {
    return row.metric != nullptr && row.metric->metric != nullptr
           && row.metric->metric->kind == MetricKind::exact
           && row.metric->difference.value_or(0.0) != 0.0;
}

bool is_noise_limited(const RowFacts& row) {
    return row.metric != nullptr && row.metric->is_noise_limited && row.metric->policy_limit;
}

/// A threshold in the last line: "1%", "the noise floor of 5.1% (limit 1%)".
std::string short_limit(const RowFacts& row) {
    const std::string limit = short_size(row, *row.threshold);
    return is_noise_limited(row) ? fmt::format(
               "the noise floor of {} (limit {})", limit, short_size(row, *row.metric->policy_limit)
           )
                                 : limit;
}

std::string short_effect(const RowFacts& row, double effect) {
    return row.test->is_ratio ? fmt::format("{:.2f}%", effect * 100.0)
                              : format_value(unit_of(row), effect);
}

/// " > 1%" beside a rise, " beyond 1%" beside a fall, " within 1%" of what stayed.
std::string beside_threshold(const RowFacts& row) {
    if (!row.threshold || (row.test == nullptr && !is_exact_with_limit(row))) {
        return {};
    }
    const bool is_rise = row.test != nullptr ? row.test->estimate > (row.test->is_ratio ? 1.0 : 0.0)
                                             : *row.metric->difference > 0.0;
    const std::string_view word = row.verdict == Verdict::same ? "within"
                                  : is_rise                    ? ">"
                                                               : "beyond";
    return fmt::format(" {} {}", word, short_limit(row));
}

/// Whether the reason is that there are too few runs, or too noisy ones: more of them decide.
bool lacks_runs(const RowFacts& row) {
    return row.reason.starts_with("too-few-runs") || row.reason.starts_with("too-noisy");
}

std::string undecided_words(const RowFacts& row) {
    std::string text = fmt::format("{} {}", row.name, row.reason);
    if (row.test == nullptr) {
        return text;
    }
    if (!lacks_runs(row)) {
        return text + ", " + change_of(row);
    }
    if (row.test->detectable && row.threshold) {
        text += fmt::format(
            ", would have seen {} {} {}",
            short_effect(row, *row.test->detectable),
            *row.test->detectable > *row.threshold ? ">" : "<=",
            short_limit(row)
        );
    }
    if (row.metric != nullptr && row.metric->runs_needed) {
        text += fmt::format(
            "; {} {} a side would decide", *row.metric->runs_needed, unit_words(*row.metric)
        );
    }
    return text;
}

/// Runs a side that would see a change of the threshold; nothing for a difference.
std::optional<std::size_t> runs_for(const RowFacts& row) {
    if (row.metric->runs_needed) {
        return row.metric->runs_needed;
    }
    if (!row.test->is_ratio || !(*row.threshold > 0.0)) {
        return std::nullopt;
    }
    const bool is_paired = row.test->method == RankMethod::signed_rank;
    const double sigma =
        is_paired ? row.test->deviation / std::numbers::sqrt2 : row.test->deviation;
    const std::size_t needed = stats::runs_to_detect(*row.threshold, sigma);
    // Blocks hold two runs a side; the formula is a little rosier than the exact test of few runs.
    const std::size_t more = std::max(needed, row.test->candidate_runs + 1);
    return more + more % 2;
}

/// "stored-baseline: 1 occasion of 5", from the case's note.
std::string with_occasions(const std::string& reason, const Comparison& one) {
    if (reason != "stored-baseline") {
        return reason;
    }
    for (const std::string& note : one.notes) {
        if (note.starts_with(reason + ": ")) {
            return note.substr(0, note.find(" ("));
        }
    }
    return reason;
}

} // namespace

std::string name_of(const GateResult& result, const GatedRow& row) {
    const bool is_shared =
        std::any_of(result.rows.begin(), result.rows.end(), [&](const GatedRow& other) {
            return !other.is_kernel && other.case_index == row.case_index && other.name == row.name
                   && other.row_index != row.row_index;
        });
    return row.is_kernel || !is_shared
               ? row.name
               : fmt::format(
                   "{} ({})", row.name, result.cases[row.case_index].deltas[row.row_index].id
               );
}

RowFacts row_facts(const GateResult& result, const GatedRow& row) {
    const Comparison& one = result.cases[row.case_index];
    RowFacts facts;
    const std::string name = name_of(result, row);
    facts.name = one.cell.empty() ? name : fmt::format("{} at {}", name, one.cell);
    std::optional<Verdict> verdict;
    if (row.is_kernel) {
        const KernelDelta& kernel = one.kernels[row.row_index];
        facts.kernel = &kernel;
        facts.test = kernel.test ? &*kernel.test : nullptr;
        facts.threshold = kernel.threshold;
        facts.reason = with_occasions(kernel.reason, one);
        verdict = kernel.verdict;
    } else {
        const Delta& delta = one.deltas[row.row_index];
        facts.metric = &delta;
        facts.test = delta.test ? &*delta.test : nullptr;
        facts.threshold = delta.threshold;
        facts.reason = with_occasions(delta.reason, one);
        verdict = delta.verdict;
    }
    facts.verdict = verdict.value_or(Verdict::inconclusive);
    if (!verdict) {
        facts.reason = "not-judged";
    }
    return facts;
}

std::string change_of(const RowFacts& row) {
    if (row.test != nullptr) {
        return tested_change(row);
    }
    return row.metric != nullptr ? exact_change(row) : std::string();
}

std::string row_words(const RowFacts& row) {
    switch (row.verdict) {
    case Verdict::inconclusive: return undecided_words(row);
    case Verdict::not_comparable: return fmt::format("{}: {}", row.name, row.reason);
    case Verdict::regressed:
    case Verdict::improved:
    case Verdict::same: break;
    }
    return fmt::format("{} {}{}", row.name, change_of(row), beside_threshold(row));
}

std::string noise_words(const RowFacts& row) {
    if (row.test == nullptr || !row.threshold || !is_noise_limited(row)) {
        return {};
    }
    return fmt::format(
        "noise-limited: {} is held to the noise floor of {}, which is wider than its limit of {}",
        row.name,
        effect_words(*row.threshold, row.test->is_ratio, unit_of(row)),
        effect_words(*row.metric->policy_limit, row.test->is_ratio, unit_of(row))
    );
}

std::string power_words(const RowFacts& row) {
    if (row.metric == nullptr || row.test == nullptr || !row.threshold || !row.test->detectable
        || !(*row.test->detectable > *row.threshold)) {
        return {};
    }
    std::string text = fmt::format(
        "{} can not be gated at {} on this machine with {} {} a side, which would have seen {}",
        row.name,
        effect_words(*row.threshold, row.test->is_ratio, unit_of(row)),
        row.test->candidate_runs,
        unit_words(*row.metric),
        effect_words(*row.test->detectable, row.test->is_ratio, unit_of(row))
    );
    if (const auto runs = runs_for(row)) {
        text += fmt::format("; {} would do", *runs);
    }
    return text;
}

} // namespace kvprof::analyzers
