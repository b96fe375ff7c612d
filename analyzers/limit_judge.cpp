#include "analyzers/limit_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

namespace {

/// The same change in the metric's unit, of the base's median.
SampledTest as_difference(SampledTest test, double base) {
    if (test.is_ratio) {
        test.is_ratio = false;
        test.estimate = (test.estimate - 1.0) * base;
        test.low = (test.low - 1.0) * base;
        test.high = (test.high - 1.0) * base;
        test.deviation *= base;
    }
    return test;
}

/// One limit, and the test in the terms of it.
struct Bound {
    SampledTest test;
    double threshold = 0.0;
};

std::vector<Bound> bounds_of(const SampledTest& test, const Limits& limits, const Scale& scale) {
    const double base = std::abs(scale.base);
    std::vector<Bound> bounds;
    if (limits.ratio) {
        bounds.push_back({test, test.is_ratio ? *limits.ratio : *limits.ratio * base});
    }
    if (limits.absolute) {
        bounds.push_back({as_difference(test, base), *limits.absolute * scale.pieces});
    }
    if (limits.of_step && scale.step_ns > 0.0) {
        bounds.push_back({as_difference(test, base), *limits.of_step * scale.step_ns});
    }
    if (bounds.empty()) {
        bounds.push_back({test, 0.0});
    }
    return bounds;
}

} // namespace

Judgement judge_within(
    const SampledTest& test,
    Direction better,
    const Limits& limits,
    const Scale& scale,
    double alpha
) {
    std::vector<Judgement> judgements;
    for (const Bound& bound : bounds_of(test, limits, scale)) {
        judgements.push_back(judge_sampled(bound.test, better, bound.threshold, alpha));
    }
    const auto same = std::find_if(judgements.begin(), judgements.end(), [](const Judgement& one) {
        return one.verdict == Verdict::same;
    });
    if (same != judgements.end()) {
        return *same;
    }
    // What is undecided by one limit is so as a whole: they differ in their size alone.
    auto whole = judgements.front();
    for (const Judgement& one : judgements) {
        if (one.verdict == Verdict::inconclusive) {
            return one;
        }
        whole.is_confirmed = whole.is_confirmed && one.is_confirmed;
    }
    return whole;
}

double widest(const SampledTest& test, const Limits& limits, const Scale& scale) {
    const double base = std::abs(scale.base);
    double widest = 0.0;
    for (const Bound& bound : bounds_of(test, limits, scale)) {
        const bool is_in_units = test.is_ratio && !bound.test.is_ratio;
        if (!is_in_units) {
            widest = std::max(widest, bound.threshold);
        } else if (base > 0.0) {
            widest = std::max(widest, bound.threshold / base);
        }
    }
    return widest;
}

} // namespace kvprof::analyzers
