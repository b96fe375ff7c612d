#include "report/claims.h"

#include "analyzers/cell_pattern.h"
#include "analyzers/compare_words.h"
#include "analyzers/metric_names.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_sections.h"
#include "analyzers/profile_windows.h"
#include "analyzers/spec_diff.h"
#include "analyzers/whole_verdict.h"
#include "report/claims_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::Delta;
using analyzers::MetricKind;
using analyzers::Policy;
using analyzers::SideValues;

bool is_about_a_change(const Claim& claim) {
    return claim.kind != ClaimKind::base && claim.kind != ClaimKind::candidate;
}

Finding not_tested(std::string why) {
    return {ClaimVerdict::not_tested, {}, std::move(why), std::nullopt};
}

/// What nobody has is 0 on both sides, where both had the pass that would show it.
Delta zero_row(std::string_view id, const analyzers::MetricDef& metric) {
    const SideValues zero{{0.0}, analyzers::summarise({0.0}), {}};
    Delta row;
    row.id = id;
    row.metric = &metric;
    row.base = zero;
    row.candidate = zero;
    row.difference = 0.0;
    row.verdict = analyzers::Verdict::same;
    row.reason = "exact";
    return row;
}

bool is_observed(const analyzers::Side& side, const analyzers::MetricDef& metric) {
    return std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& run) {
        return analyzers::observes(run, metric);
    });
}

std::string no_row_words(std::string_view id, const Comparison& one) {
    const analyzers::MetricDef& metric = *analyzers::find_metric(id);
    if (is_observed(one.base, metric) && is_observed(one.candidate, metric)) {
        return fmt::format("no step has {}: its runs looked for it", id);
    }
    if (analyzers::compares_profiles(one)) {
        return fmt::format("no capture shows {}: profiles of both sides have to hold it", id);
    }
    if (metric.pass == Pass::timing) {
        return fmt::format("no run shows {}: measure again with kvprof run --ab", id);
    }
    return fmt::format(
        "no run shows {}: measure again with --passes timing+{}", id, to_string(metric.pass)
    );
}

/// "the executor differs: cuda and host".
std::string blocking_words(const Comparison& one) {
    return fmt::format("not comparable: {}", fmt::join(analyzers::blocking_texts(one), "; "));
}

/// The side without values that the claim needs; empty when it has all.
std::string missing_value(const Claim& claim, const Comparison& one, const Delta& row) {
    const bool needs_base = claim.kind != ClaimKind::candidate;
    const bool needs_candidate = claim.kind != ClaimKind::base;
    const bool lacks_base = needs_base && !row.base.summary;
    if (!lacks_base && !(needs_candidate && !row.candidate.summary)) {
        return {};
    }
    if (row.reason == "capture-failure") {
        return "capture-failure: the pass that shows it gave no figures";
    }
    return fmt::format(
        "the {} has no value: {}", lacks_base ? "base" : "candidate", no_row_words(row.id, one)
    );
}

Finding find_in_row(const Claim& claim, const Comparison& one, const Delta& row, double alpha) {
    if (std::string missing = missing_value(claim, one, row); !missing.empty()) {
        return not_tested(std::move(missing));
    }
    if (is_about_a_change(claim) && row.verdict == analyzers::Verdict::not_comparable) {
        return not_tested("not comparable: " + row.reason);
    }
    const Question question{&claim, &one, &row, alpha};
    if (row.metric->kind == MetricKind::exact) {
        return find_exact(question);
    }
    return is_about_a_change(claim) ? find_sampled(question) : find_side(question);
}

Finding find_in_case(const Claim& claim, const Comparison& one, const Policy& policy) {
    if (is_about_a_change(claim) && analyzers::is_blocked(one)) {
        return not_tested(blocking_words(one));
    }
    const std::vector<std::string> ids =
        analyzers::ids_between(policy, claim.metric, one.base, one.candidate);
    for (const Delta& row : one.deltas) {
        if (std::find(ids.begin(), ids.end(), row.id) != ids.end()) {
            return find_in_row(claim, one, row, row.is_primary ? one.alpha : policy.q);
        }
    }
    const bool is_zero =
        analyzers::verdict_without_row(policy, claim.metric, one.base, one.candidate)
        == analyzers::Verdict::same;
    if (is_zero) {
        const Delta row = zero_row(ids.front(), *analyzers::find_metric(ids.front()));
        return find_in_row(claim, one, row, one.alpha);
    }
    return not_tested(no_row_words(ids.front(), one));
}

bool is_named(const Claim& claim, const Comparison& one) {
    const std::vector<Param> pattern = analyzers::parse_cell_pattern(claim.cell);
    return analyzers::fits(
        pattern, analyzers::params_of(one.candidate.step, one.candidate.measure)
    );
}

ClaimAnswer answer_of(const Claim& claim, std::string cell, Finding finding) {
    return {
        claim,
        std::move(cell),
        finding.verdict,
        std::move(finding.measured),
        std::move(finding.why),
        finding.runs_needed};
}

std::string no_case_words(const Claim& claim, const std::vector<Comparison>& cases) {
    std::vector<std::string> cells;
    for (const Comparison& one : cases) {
        if (!one.cell.empty()) {
            cells.push_back(one.cell);
        }
    }
    if (cells.empty()) {
        return fmt::format("no case is {}: measure it, with kvprof run --ab", claim.cell);
    }
    return fmt::format(
        "no case is {}, only {}: measure it, with kvprof run --ab",
        claim.cell,
        fmt::join(cells, ", ")
    );
}

bool has_any(const CheckedClaims& claims, ClaimVerdict verdict) {
    return std::any_of(
        claims.answers.begin(),
        claims.answers.end(),
        [verdict](const ClaimAnswer& answer) { return answer.verdict == verdict; }
    );
}

} // namespace

CheckedClaims
check_claims(ClaimFile file, const std::vector<Comparison>& cases, const Policy& policy) {
    CheckedClaims checked;
    for (const Claim& claim : file.claims) {
        const std::size_t before = checked.answers.size();
        for (const Comparison& one : cases) {
            if (is_named(claim, one)) {
                checked.answers.push_back(
                    answer_of(claim, one.cell, find_in_case(claim, one, policy))
                );
            }
        }
        if (checked.answers.size() == before) {
            checked.answers.push_back(answer_of(claim, {}, not_tested(no_case_words(claim, cases)))
            );
        }
    }
    checked.file = std::move(file);
    return checked;
}

ExitCode exit_code_of(const CheckedClaims& claims) {
    if (has_any(claims, ClaimVerdict::not_tested)) {
        return ExitCode::not_comparable;
    }
    if (has_any(claims, ClaimVerdict::contradicted)) {
        return ExitCode::difference;
    }
    return has_any(claims, ClaimVerdict::undecided) ? ExitCode::inconclusive : ExitCode::done;
}

} // namespace kvprof::report
