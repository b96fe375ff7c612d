#include "analyzers/change_words.h"
#include "analyzers/figures.h"
#include "report/claims_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Delta;
using analyzers::Direction;
using analyzers::SideValues;

constexpr double kPercent = 100.0;

bool is_constant(const SideValues& side) {
    return side.summary->min == side.summary->max;
}

Finding nondeterministic(const Question& question, std::string measured) {
    const Delta& row = *question.row;
    const bool has_words = row.reason.starts_with("nondeterministic");
    return {
        ClaimVerdict::undecided,
        std::move(measured),
        has_words ? row.reason : "nondeterministic: its runs disagree",
        std::nullopt};
}

Finding decided(bool is_supported, std::string measured, std::string why_not) {
    return {
        is_supported ? ClaimVerdict::supported : ClaimVerdict::contradicted,
        std::move(measured),
        is_supported ? std::string() : std::move(why_not),
        std::nullopt};
}

Finding find_value(const Question& question, double value, std::string measured) {
    const Claim& claim = *question.claim;
    const double off = std::abs(value - claim.value);
    return decided(
        is_within(off, claim.tolerance),
        std::move(measured),
        fmt::format("it is off by {}", size_words(question, off))
    );
}

/// "27 -> 26 (-1)", of a share with the percentage too.
std::string change_of(const Question& question) {
    const Delta& row = *question.row;
    const double base = row.base.summary->median;
    const std::string share = question.claim->is_share && base != 0.0
                                  ? ", " + share_words(*row.difference / base)
                                  : std::string();
    return fmt::format(
        "{} -> {} ({}{})",
        analyzers::side_cell(row.base, *row.metric),
        analyzers::side_cell(row.candidate, *row.metric),
        analyzers::change_cell(row),
        share
    );
}

/// improved and regressed, by `limit` at least.
Finding find_direction(const Question& question, double change, std::string measured) {
    const bool is_lower_better = question.row->metric->better != Direction::higher;
    const bool is_improvement = question.claim->kind == ClaimKind::improved;
    const double claimed = is_lower_better == is_improvement ? -change : change;
    const double limit = question.claim->value;
    const bool is_supported =
        claimed > 0.0 && (claimed >= limit || is_within(limit - claimed, 0.0));
    std::string why = change == 0.0   ? "it is equal"
                      : claimed < 0.0 ? "it went the other way"
                                      : "by less than " + size_words(question, limit);
    return decided(is_supported, std::move(measured), std::move(why));
}

} // namespace

bool is_within(double off, double tolerance) {
    constexpr double kRounding = 1e-12;
    return off <= tolerance + kRounding * std::max({1.0, off, tolerance});
}

std::string share_words(double share) {
    return fmt::format("{:+.2f} %", share * kPercent);
}

std::string size_words(const Question& question, double size) {
    return analyzers::effect_words(size, question.claim->is_share, question.row->metric->unit);
}

const SideValues& claimed_side(const Question& question) {
    return question.claim->kind == ClaimKind::base ? question.row->base : question.row->candidate;
}

Finding find_exact(const Question& question) {
    const Claim& claim = *question.claim;
    const Delta& row = *question.row;
    if (claim.kind == ClaimKind::base || claim.kind == ClaimKind::candidate) {
        const SideValues& side = claimed_side(question);
        std::string measured = analyzers::side_cell(side, *row.metric);
        return is_constant(side) ? find_value(question, side.summary->median, std::move(measured))
                                 : nondeterministic(question, std::move(measured));
    }
    std::string measured = change_of(question);
    if (!is_constant(row.base) || !is_constant(row.candidate)) {
        return nondeterministic(question, std::move(measured));
    }
    const double base = std::abs(row.base.summary->median);
    if (claim.is_share && base == 0.0 && *row.difference != 0.0) {
        return {
            ClaimVerdict::undecided,
            std::move(measured),
            "the base is 0, of which there is no share: claim B-A",
            std::nullopt};
    }
    const double change = claim.is_share && base != 0.0 ? *row.difference / base : *row.difference;
    if (claim.kind == ClaimKind::same) {
        return decided(
            is_within(std::abs(change), claim.value),
            std::move(measured),
            claim.value == 0.0 ? "it differs"
                               : "it differs by more than " + size_words(question, claim.value)
        );
    }
    if (claim.kind == ClaimKind::improved || claim.kind == ClaimKind::regressed) {
        return find_direction(question, change, std::move(measured));
    }
    return find_value(question, change, std::move(measured));
}

} // namespace kvprof::report
