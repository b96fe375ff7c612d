#include "analyzers/judge_row.h"

#include "analyzers/controls.h"
#include "analyzers/cycles.h"
#include "analyzers/figures.h"
#include "analyzers/judge_exact.h"
#include "analyzers/validity.h"
#include "stats/detectable.h"
#include "stats/rank_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// A primary row is judged in any case: more of what only explains is worse.
Direction direction_of(const Delta& row) {
    return row.metric->better == Direction::neither && row.is_primary ? Direction::lower
                                                                      : row.metric->better;
}

void settle(Delta& row, Verdict verdict, std::string reason) {
    row.verdict = verdict;
    row.reason = std::move(reason);
}

void settle_without_value(Delta& row, const CaseFacts& facts) {
    row.reason = row.base.summary ? "the candidate has no value" : "the base has no value";
    if (direction_of(row) == Direction::neither) {
        return;
    }
    const Pass pass = row.metric->pass;
    const Side& side = row.base.summary ? *facts.candidate : *facts.base;
    if (pass != Pass::timing && has_capture_failure(side, pass)) {
        row.reason = "capture-failure";
    }
    // A pass that ran and gave no value could not resolve it; a step without a time has none.
    row.verdict = pass == Pass::timing ? Verdict::not_comparable : Verdict::inconclusive;
}

void settle_other_work(Delta& row, const CaseFacts& facts) {
    const bool has_values = row.base.summary && row.candidate.summary;
    if (direction_of(row) != Direction::neither) {
        settle(row, Verdict::inconclusive, "windows-differ");
    } else if (has_values) {
        row.reason = "windows-differ; explains, not judged";
    } else {
        settle_without_value(row, facts);
    }
}

/// "run 3 of the base looks odd"
void remark_outliers(Delta& row) {
    for (const auto& [side, role] :
         {std::pair{&row.base, "base"}, std::pair{&row.candidate, "candidate"}}) {
        for (const std::size_t place : side->outliers) {
            row.remarks.push_back(fmt::format("run {} of the {} looks odd", place + 1, role));
        }
    }
}

/// A calibration that saw more noise than these few runs knows better what they would have seen.
void widen_detectable(SampledTest& test, const MetricNoise& noise) {
    if (test.method != RankMethod::rank_sum || !test.is_ratio || noise.sigma <= test.deviation) {
        return;
    }
    if (const auto factor = stats::detectable_factor(test.base_runs, test.candidate_runs)) {
        test.detectable = stats::detectable_effect(*factor, noise.sigma);
    }
}

Limits row_limits(const Delta& row, const CaseFacts& facts) {
    Limits limits = limits_for(facts.how->policy, row.id, *row.metric);
    if (const auto noise = noise_for(row.id, facts); noise && row.test->is_ratio) {
        limits.ratio = std::max(limits.ratio.value_or(0.0), noise->floor);
    }
    return limits;
}

Scale scale_of(const Delta& row, const CaseFacts& facts) {
    const double step_ns = row.metric->unit == Unit::nanoseconds ? facts.step_ns : 0.0;
    return {.base = row.base.summary->median, .step_ns = step_ns};
}

void set_threshold(Delta& row, const CaseFacts& facts) {
    const Scale scale = scale_of(row, facts);
    const double by_policy =
        widest(*row.test, limits_for(facts.how->policy, row.id, *row.metric), scale);
    row.threshold = widest(*row.test, row_limits(row, facts), scale);
    row.policy_limit = by_policy;
    row.is_noise_limited = *row.threshold > by_policy;
}

void test_row(Row& row, const CaseFacts& facts) {
    const Units units = units_of(row.base, row.candidate, facts);
    if (facts.base_occasions
        && (units.base.size() < kBaseOccasions || units.candidate.size() < kCandidateOccasions)) {
        settle(row.shown, Verdict::inconclusive, "stored-baseline"); // not all runs have the metric
        return;
    }
    Delta& shown = row.shown;
    if (facts.base_occasions) {
        shown.is_by_occasion = true;
        show_values(row, units.base, units.candidate);
    }
    shown.test = test_sampled(units.base, units.candidate, units.method, facts.interval_alpha);
    if (const auto noise = noise_for(shown.id, facts)) {
        widen_detectable(*shown.test, *noise);
    }
    set_threshold(shown, facts);
    remark_outliers(shown);
}

void prepare_sampled(Row& row, const CaseFacts& facts) {
    Delta& shown = row.shown;
    if (direction_of(shown) == Direction::neither) {
        shown.reason = "traced; explains, not judged";
        return;
    }
    const bool is_unstable = facts.is_disturbed || is_disturbed(*facts.base, shown.metric->pass)
                             || is_disturbed(*facts.candidate, shown.metric->pass);
    if (is_device_wide(*shown.metric)) {
        if (is_unstable) {
            settle(shown, Verdict::inconclusive, "unstable-machine");
        } else {
            judge_device_wide(row, facts);
        }
        return;
    }
    if (!facts.shortfall().empty()) {
        settle(shown, Verdict::inconclusive, is_unstable ? "unstable-machine" : "stored-baseline");
        return;
    }
    test_row(row, facts);
    if (is_unstable) {
        settle(shown, Verdict::inconclusive, "unstable-machine");
    }
    if (shown.metric->pass == Pass::timing) {
        shown.remarks.insert(shown.remarks.end(), facts.remarks.begin(), facts.remarks.end());
    }
}

bool are_disjoint(const Summary& a, const Summary& b) {
    return a.max < b.min || b.max < a.min;
}

/// Of the row's family.
double alpha_of(const Delta& row, const CaseFacts& facts) {
    return row.is_primary ? facts.alpha : facts.q;
}

/// What would decide a row: of an A/B design, whole blocks, which signed ranks will test.
std::size_t planned_runs(const Judgement& judgement, const Delta& row, const CaseFacts& facts) {
    const std::size_t runs = *judgement.runs;
    if (!facts.how->is_interleaved || facts.how->is_unpaired) {
        return runs;
    }
    const std::size_t fewest =
        judgement.reason == "too-few-runs"
            ? stats::fewest_signed_rank(row.test->tests, alpha_of(row, facts))
            : runs;
    const std::size_t planned = std::max(runs, fewest);
    return planned + planned % 2;
}

void remark_undecided(Delta& row, const Judgement& judgement, const CaseFacts& facts) {
    const SampledTest& test = *row.test;
    if (judgement.runs) {
        row.runs_needed = planned_runs(judgement, row, facts);
    }
    if (judgement.reason != "too-few-runs") {
        return;
    }
    if (are_disjoint(*row.base.summary, *row.candidate.summary)) {
        row.remarks.push_back("ranges disjoint");
    }
    row.remarks.push_back(fmt::format(
        "{} + {} {} can not go below p = {:.3g}{}",
        test.base_runs,
        test.candidate_runs,
        unit_words(row),
        std::min(1.0, test.least_p * static_cast<double>(test.tests)),
        test.tests == 1 ? std::string() : fmt::format(" with {} tests", test.tests)
    ));
}

Judgement judge(const Delta& row, const SampledTest& test, const CaseFacts& facts) {
    return judge_within(
        test, direction_of(row), row_limits(row, facts), scale_of(row, facts), alpha_of(row, facts)
    );
}

} // namespace

void prepare(Row& row, const CaseFacts& facts) {
    Delta& shown = row.shown;
    shown.is_primary = facts.primary_ids.count(shown.id) > 0;
    if (!facts.forbidden_by.empty()) {
        settle(shown, Verdict::not_comparable, facts.forbidden_by);
    } else if (is_of_other_work(*shown.metric, facts.windows)) {
        settle_other_work(shown, facts);
    } else if (!shown.base.summary || !shown.candidate.summary) {
        settle_without_value(shown, facts);
    } else if (shown.metric->kind == MetricKind::exact) {
        judge_exact(shown, facts);
    } else {
        prepare_sampled(row, facts);
    }
}

void decide(Row& row, const CaseFacts& facts, const Controls* controls) {
    Delta& shown = row.shown;
    if (!shown.test || shown.verdict) {
        return;
    }
    const Judgement judgement = judge(shown, *shown.test, facts);
    settle(shown, judgement.verdict, judgement.reason);
    shown.is_confirmed = judgement.is_confirmed;
    if (judgement.is_below_threshold) {
        shown.remarks.push_back("detectable, below threshold");
    }
    if (judgement.verdict == Verdict::inconclusive) {
        remark_undecided(shown, judgement, facts);
    }
    shown.cycles = test_cycles(row, facts, alpha_of(shown, facts));
    const bool has_changed =
        shown.verdict == Verdict::regressed || shown.verdict == Verdict::improved;
    if (has_changed && shown.cycles
        && is_confounded(
            *shown.cycles, judgement.verdict, judge(shown, shown.cycles->test, facts).verdict
        )) {
        settle(shown, Verdict::inconclusive, "clock-confounded");
        shown.is_confirmed = false;
    } else if (controls != nullptr && may_drift(shown)) {
        const SampledTest adjusted = without_drift(*shown.test, *controls);
        if (judgement.verdict != Verdict::inconclusive
            && judge(shown, adjusted, facts).verdict != judgement.verdict) {
            settle(shown, Verdict::inconclusive, "environment-drift");
            shown.is_confirmed = false;
        }
    }
}

} // namespace kvprof::analyzers
