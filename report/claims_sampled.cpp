#include "analyzers/change_words.h"
#include "analyzers/judge_exact.h"
#include "analyzers/validity.h"
#include "report/claims_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Delta;
using analyzers::Direction;
using analyzers::SampledTest;
using analyzers::Unit;
using analyzers::Verdict;

/// The change and its interval in the claim's terms: a share of the base, or the metric's unit.
struct Change {
    double estimate = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// A band of changes: what the claim speaks of.
struct Band {
    double low = 0.0;
    double high = 0.0;
};

/// A row under a question, with the test that answers it.
struct Tested {
    const Question* question = nullptr;
    SampledTest test;
    Change change;
    std::string measured;
    bool is_device_wide = false; ///< the interval is what the source resolves, and proves no zero
};

double base_of(const Question& question) {
    return std::abs(question.row->base.summary->median);
}

/// By what a change of the test is multiplied to be in the claim's terms; the base is not 0.
double scale_of(const Question& question, const SampledTest& test) {
    if (test.is_ratio == question.claim->is_share) {
        return 1.0;
    }
    return test.is_ratio ? base_of(question) : 1.0 / base_of(question);
}

Change change_of(const Question& question, const SampledTest& test) {
    const double none = test.is_ratio ? 1.0 : 0.0;
    const double scale = scale_of(question, test);
    return {(test.estimate - none) * scale, (test.low - none) * scale, (test.high - none) * scale};
}

/// "-1.39 % [-1.51, -1.28]", "-172.1 us [-187.4, -158.8], of the base's median of 12.407 ms".
std::string
measured_words(const Question& question, const SampledTest& test, const Change& change) {
    const Unit unit = question.row->metric->unit;
    SampledTest shown = test;
    shown.is_ratio = question.claim->is_share;
    const double none = shown.is_ratio ? 1.0 : 0.0;
    shown.estimate = none + change.estimate;
    const bool is_finite = analyzers::has_interval(test);
    shown.low = is_finite ? none + change.low : 0.0;
    shown.high = is_finite ? none + change.high : std::numeric_limits<double>::infinity();
    std::string words = analyzers::change_words(shown, unit);
    if (test.is_ratio && !question.claim->is_share) {
        words += ", of the base's median of "
                 + analyzers::format_value(unit, question.row->base.summary->median);
    }
    return words;
}

/// A reading of the whole device's memory: the difference, give or take what it resolves.
SampledTest device_wide_test(const Delta& row) {
    SampledTest test;
    test.is_ratio = false;
    test.estimate = *row.difference;
    const double resolved = row.threshold.value_or(0.0);
    test.low = test.estimate - resolved;
    test.high = test.estimate + resolved;
    test.p_adjusted = 0.0; // it counts as changed, or the row would be inconclusive
    test.base_runs = row.base.values.size();
    test.candidate_runs = row.candidate.values.size();
    return test;
}

/// What answers the claim; nothing where the row itself says why none can.
std::optional<SampledTest> test_for(const Question& question) {
    const Delta& row = *question.row;
    if (row.test) {
        return row.test;
    }
    if (analyzers::is_device_wide(*row.metric)) {
        return device_wide_test(row);
    }
    const double alpha = 1.0 - question.one->interval_level;
    // A row that explains another one is not judged, and yet its runs have an interval.
    return analyzers::test_sampled(
        row.base.values, row.candidate.values, analyzers::RankMethod::rank_sum, alpha
    );
}

/// Why the runs can not decide anything about the row; empty when they can.
std::string withheld(const Question& question) {
    const Delta& row = *question.row;
    const bool explains = !row.test && !analyzers::is_device_wide(*row.metric);
    const Pass pass = row.metric->pass;
    if (explains && !row.verdict
        && (analyzers::is_disturbed(question.one->base, pass)
            || analyzers::is_disturbed(question.one->candidate, pass))) {
        return "unstable-machine";
    }
    // Noise is measured against the policy's limit; the claim has its own.
    const bool is_withheld = row.verdict == Verdict::inconclusive && row.reason != "too-noisy";
    return is_withheld ? row.reason : std::string();
}

/// As an A/B experiment measures them: whole blocks, two runs a side.
std::size_t in_blocks(const Question& question, std::size_t runs) {
    return question.one->is_interleaved ? runs + runs % 2 : runs;
}

/// Runs that would see the distance from the estimate to the nearest edge of the band.
std::optional<std::size_t> runs_to_tell(const Tested& tested, const Band& band) {
    if (tested.is_device_wide) {
        return std::nullopt;
    }
    const Question& question = *tested.question;
    const double distance = std::min(
        std::abs(tested.change.estimate - band.low), std::abs(tested.change.estimate - band.high)
    );
    const auto runs =
        analyzers::runs_to_see(tested.test, distance / scale_of(question, tested.test));
    return runs ? std::optional(in_blocks(question, *runs)) : std::nullopt;
}

Finding answer(const Tested& tested, ClaimVerdict verdict, std::string why) {
    return {verdict, tested.measured, std::move(why), std::nullopt};
}

Finding undecided(const Tested& tested, const Band& band, std::string why) {
    Finding finding = answer(tested, ClaimVerdict::undecided, std::move(why));
    finding.runs_needed = runs_to_tell(tested, band);
    return finding;
}

bool is_inside(const Change& change, const Band& band) {
    return band.low <= change.low && change.high <= band.high;
}

bool is_outside(const Change& change, const Band& band) {
    return change.high < band.low || change.low > band.high;
}

Finding find_value(const Tested& tested) {
    const Question& question = *tested.question;
    const Claim& claim = *question.claim;
    const Band band{claim.value - claim.tolerance, claim.value + claim.tolerance};
    if (is_inside(tested.change, band)) {
        return answer(tested, ClaimVerdict::supported, {});
    }
    if (is_outside(tested.change, band)) {
        const double off = std::abs(tested.change.estimate - claim.value);
        return answer(
            tested,
            ClaimVerdict::contradicted,
            fmt::format("it is off by {}", size_words(question, off))
        );
    }
    return undecided(
        tested,
        band,
        tested.is_device_wide ? "the source resolves no more"
                              : "the interval reaches beyond what is claimed"
    );
}

Finding find_same(const Tested& tested) {
    const Question& question = *tested.question;
    const double limit = question.claim->value;
    const Band band{question.claim->is_share ? 1.0 / (1.0 + limit) - 1.0 : -limit, limit};
    const std::string words = size_words(question, limit);
    if (is_inside(tested.change, band) && !tested.is_device_wide) {
        return answer(tested, ClaimVerdict::supported, {});
    }
    const bool is_significant = tested.test.p_adjusted <= question.alpha;
    if (is_outside(tested.change, band) && is_significant) {
        return answer(
            tested,
            ClaimVerdict::contradicted,
            fmt::format("all of the interval is beyond {}", words)
        );
    }
    return undecided(
        tested,
        band,
        tested.is_device_wide ? "source-cannot-prove-zero"
        : is_outside(tested.change, band)
            ? "the interval is beyond " + words + ", but the change is not significant"
            : fmt::format("the interval reaches beyond {}", words)
    );
}

/// improved and regressed, by the claim's value at least.
Finding find_direction(const Tested& tested) {
    const Question& question = *tested.question;
    const bool is_lower_better = question.row->metric->better != Direction::higher;
    const bool is_down = is_lower_better == (question.claim->kind == ClaimKind::improved);
    const double edge = is_down ? -question.claim->value : question.claim->value;
    const Change& change = tested.change;
    // Without a size a change of 0 is none.
    const bool is_beyond = edge == 0.0 ? (is_down ? change.high < edge : change.low > edge)
                                       : (is_down ? change.high <= edge : change.low >= edge);
    const bool is_short = is_down ? change.low > edge : change.high < edge;
    const std::string less =
        edge == 0.0 ? std::string() : " by " + size_words(question, std::abs(edge));
    if (is_beyond && tested.test.p_adjusted <= question.alpha) {
        return answer(tested, ClaimVerdict::supported, {});
    }
    if (is_short) {
        const bool is_other_way = is_down ? change.low > 0.0 : change.high < 0.0;
        return answer(
            tested,
            ClaimVerdict::contradicted,
            is_other_way ? "it went the other way" : "no change" + less + " is in the interval"
        );
    }
    return undecided(
        tested,
        {edge, edge},
        is_beyond
            ? "the change is not significant"
            : fmt::format(
                "the interval reaches below {}", edge == 0.0 ? "any change" : "a change" + less
            )
    );
}

std::optional<std::size_t> runs_for_interval(const Question& question) {
    return question.row->runs_needed ? question.row->runs_needed
                                     : std::optional(in_blocks(question, analyzers::kFewestPairs));
}

} // namespace

Finding find_sampled(const Question& question) {
    const Delta& row = *question.row;
    Tested tested;
    tested.question = &question;
    tested.test = *test_for(question);
    tested.is_device_wide = !row.test && analyzers::is_device_wide(*row.metric);
    if (base_of(question) == 0.0 && tested.test.is_ratio != question.claim->is_share) {
        return {
            ClaimVerdict::undecided,
            analyzers::change_words(tested.test, row.metric->unit),
            "the base is 0, of which there is no share: claim B-A",
            std::nullopt};
    }
    tested.change = change_of(question, tested.test);
    tested.measured = measured_words(question, tested.test, tested.change);
    if (std::string reason = withheld(question); !reason.empty()) {
        Finding finding = answer(tested, ClaimVerdict::undecided, std::move(reason));
        finding.runs_needed = row.runs_needed;
        return finding;
    }
    if (!analyzers::has_interval(tested.test)) {
        Finding finding = answer(tested, ClaimVerdict::undecided, "too-few-runs");
        finding.runs_needed = runs_for_interval(question);
        return finding;
    }
    switch (question.claim->kind) {
    case ClaimKind::difference:
    case ClaimKind::ratio: return find_value(tested);
    case ClaimKind::same: return find_same(tested);
    case ClaimKind::improved:
    case ClaimKind::regressed: return find_direction(tested);
    case ClaimKind::base:
    case ClaimKind::candidate: break;
    }
    return answer(tested, ClaimVerdict::not_tested, "the claim is about one side");
}

} // namespace kvprof::report
