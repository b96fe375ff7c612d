#pragma once

#include "analyzers/gate.h"
#include "analyzers/metric_names.h"
#include "tests/support/example_runs.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::analyzers::test_rows {

inline constexpr std::string_view kToday = "2026-11-29";

inline Delta row_of(const std::string& id, Verdict verdict, std::string reason) {
    Delta row;
    row.id = id;
    row.metric = find_metric(id);
    row.is_primary = true;
    row.verdict = verdict;
    row.reason = std::move(reason);
    return row;
}

/// A time that changed by `estimate`, eight pairs, limit 1 %.
inline Delta step_time(Verdict verdict, double estimate, double low, double high) {
    Delta row = row_of("step.gpu_time", verdict, "");
    row.test = SampledTest{
        .method = RankMethod::signed_rank,
        .estimate = estimate,
        .low = low,
        .high = high,
        .detectable = 0.0009,
        .deviation = 0.0007,
        .base_runs = 8,
        .candidate_runs = 8};
    row.threshold = 0.01;
    return row;
}

inline Delta same_time() {
    return step_time(Verdict::same, 1.0002, 0.9989, 1.0015);
}

inline Delta slower() {
    return step_time(Verdict::regressed, 1.014943, 1.014140, 1.015658);
}

inline Delta noisy() {
    Delta row = step_time(Verdict::inconclusive, 1.003, 0.98, 1.02);
    row.reason = "too-noisy";
    row.test->detectable = 0.021;
    row.test->deviation = 0.0168;
    row.runs_needed = 16;
    return row;
}

inline Delta count(const std::string& id, double base, double candidate) {
    const Verdict verdict = candidate > base   ? Verdict::regressed
                            : candidate < base ? Verdict::improved
                                               : Verdict::same;
    Delta row = row_of(id, verdict, "exact");
    row.base.summary = Summary{1, base, base, base, 0.0};
    row.candidate.summary = Summary{1, candidate, candidate, candidate, 0.0};
    row.difference = candidate - base;
    return row;
}

inline Comparison case_of(std::vector<Delta> rows, std::string cell = {}) {
    Comparison one;
    one.cell = std::move(cell);
    one.base.runs = {test::step_run(IndexMode::stream, {3})};
    one.candidate.runs = one.base.runs;
    one.candidate.step = one.base.runs.front().step;
    one.deltas = std::move(rows);
    one.verdict = Verdict::same;
    return one;
}

inline Policy policy_of(std::vector<std::string> primary) {
    Policy policy;
    policy.primary = std::move(primary);
    return policy;
}

inline const Policy& default_policy() {
    static const Policy policy = policy_of({"step_time", "launches"});
    return policy;
}

inline GateResult gate(std::vector<Delta> rows, const Policy& policy = default_policy()) {
    return gate_of({case_of(std::move(rows))}, policy, kToday);
}

} // namespace kvprof::analyzers::test_rows
