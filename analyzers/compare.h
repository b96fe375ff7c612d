#pragma once

#include "analyzers/comparability.h"
#include "analyzers/kernel_deltas.h"
#include "analyzers/ledger_delta.h"
#include "analyzers/metric.h"
#include "analyzers/noise.h"
#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"
#include "analyzers/side.h"
#include "analyzers/spec_diff.h"
#include "analyzers/summary.h"
#include "capture/model/exit_code.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// The values of one metric on one side: one a run.
struct SideValues {
    std::vector<double> values;
    std::optional<Summary> summary;    ///< nothing when no run has the metric
    std::vector<std::size_t> outliers; ///< places of values that look odd: flagged, never dropped

    friend bool operator==(const SideValues&, const SideValues&) = default;
};

/// The same comparison in cycles: time times the SM clock.
struct CycleTest {
    double base_mhz = 0.0; ///< median over the runs
    double candidate_mhz = 0.0;
    SampledTest test;

    friend bool operator==(const CycleTest&, const CycleTest&) = default;
};

/// One metric on both sides.
struct Delta {
    std::string id;
    const MetricDef* metric = nullptr;
    SideValues base;
    SideValues candidate;
    std::optional<double> difference; ///< candidate - base, of the medians
    std::optional<double> ratio;      ///< candidate / base, of the medians; nothing for a base of 0
    bool is_primary = false;          ///< one of the policy's: it decides the whole
    std::optional<SampledTest> test;  ///< of a judged sampled row with values on both sides
    std::optional<CycleTest> cycles;  ///< of a significant time where both clocks are known
    /// As the test's change (ratio less 1, or difference); with the noise floor when that is wider.
    /// Of an exact row in the metric's unit, and nothing where any change counts.
    std::optional<double> threshold;
    std::optional<double> policy_limit; ///< the threshold without that floor
    bool is_noise_limited = false;      ///< the calibrated floor is above the policy's threshold
    bool is_by_occasion = false;        ///< the units of the test are occasions, not runs
    /// Nothing for a metric that is better in neither direction and differs: the row explains.
    std::optional<Verdict> verdict;
    bool is_confirmed = false;
    std::string reason; ///< "exact", "too-few-runs", the field that forbids a comparison, ...
    std::vector<std::string>
        remarks; ///< "detectable, below threshold", "run 3 of the base looks odd"
    std::optional<std::size_t> runs_needed; ///< a side that would decide an inconclusive row
};

/// Kernels whose code and geometry are equal on both sides: what they moved by is the environment.
struct Controls {
    std::size_t kernels = 0;
    std::size_t base_runs = 0; ///< traced
    std::size_t candidate_runs = 0;
    double ratio = 1.0; ///< median of candidate over base
    /// They have 0.1 % of the step and two traced runs a side. Where none has, all others are shown
    /// and prove nothing: one run of each side is the noise between two runs.
    bool is_tested = false;
    bool is_drift = false; ///< beyond the noise floor, or beyond 0.5 % without a calibration

    friend bool operator==(const Controls&, const Controls&) = default;
};

/// How to compare.
struct CompareOptions {
    Policy policy;
    std::vector<std::string> treatment;        ///< fields that are meant to differ
    std::vector<std::string> allowed_mismatch; ///< hard fields that may; the report is stamped
    bool is_strict_env = false;                ///< soft facts that differ forbid the comparison
    bool is_unpaired = false;                  ///< Mann-Whitney even where runs are paired
    bool is_interleaved = false; ///< both sides are of one A/B experiment: their runs have places
    bool is_stored_baseline = false; ///< the base was measured at another time: C.16 of the method
    bool is_one_order =
        false;              ///< both sides are of one experiment: positions say how they alternate
    std::int64_t looks = 1; ///< of the design: alpha is shared among them
    std::vector<Calibration> calibrations;
};

/// What two sides say about each other: data for the renderers.
struct Comparison {
    std::string cell; ///< "batch=8" where several cases are compared
    Side base;
    Side candidate;
    std::vector<SpecChange> spec_changes;
    std::vector<std::string> treatment; ///< fields that differ and were declared to
    std::vector<Concern> concerns;
    std::vector<std::string> stamps; ///< mismatches that were allowed, single-layout, no turns
    bool is_interleaved = false;     ///< the runs of both sides were measured in turns, by design
    std::vector<Delta> deltas;       ///< in the catalogue's order
    std::vector<KernelDelta> kernels;
    std::optional<Controls> controls;
    std::optional<LedgerDelta> ledger;
    double alpha = 0.05;          ///< of the primary family, after looks
    double interval_level = 0.95; ///< that the intervals are made for; wider under several looks
    Verdict verdict = Verdict::inconclusive;
    std::vector<std::string> notes;        ///< what the runs noted, void and excluded runs
    std::vector<std::string> not_measured; ///< what this comparison does not decide
};

/// Compares each case. The sampled primary rows of all cases are one family (Holm), all other
/// tested rows and kernels of a case another (Benjamini-Hochberg). The verdict of a case is
/// not-comparable when a hard field forbids it; else worst_of its primary rows and of the primary
/// metrics without a row; inconclusive without any.
[[nodiscard]] std::vector<Comparison>
compare_cases(const std::vector<Case>& cases, const CompareOptions& how);

[[nodiscard]] Comparison
compare(const Side& base, const Side& candidate, const CompareOptions& how = {});

/// Whether a concern forbids the comparison of the sides as a whole.
[[nodiscard]] bool is_blocked(const Comparison& comparison);

/// For `diff --exit-code`: 4 when the whole is not comparable, else 1 when a judged exact metric
/// differs or a sampled one is improved or regressed, else 0. An inconclusive row is no difference.
[[nodiscard]] ExitCode exit_code_of(const Comparison& comparison);

} // namespace kvprof::analyzers
