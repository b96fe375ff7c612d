#pragma once

#include "analyzers/comparability.h"
#include "analyzers/metric.h"
#include "analyzers/side.h"
#include "analyzers/spec_diff.h"
#include "analyzers/summary.h"
#include "capture/model/enum_names.h"
#include "capture/model/exit_code.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

enum class Verdict : std::uint8_t { regressed, improved, same, inconclusive, not_comparable };

/// The values of one metric on one side: one a run.
struct SideValues {
    std::vector<double> values;
    std::optional<Summary> summary; ///< nothing when no run has the metric

    friend bool operator==(const SideValues&, const SideValues&) = default;
};

/// One metric on both sides.
struct Delta {
    std::string id;
    const MetricDef* metric = nullptr;
    SideValues base;
    SideValues candidate;
    std::optional<double> difference; ///< candidate - base, of the medians
    std::optional<double> ratio;      ///< candidate / base; nothing when the base is 0
    /// Nothing for a metric that is better in neither direction and differs: the row explains.
    std::optional<Verdict> verdict;
    std::string reason; ///< "exact", "too-few-runs", the field that forbids a comparison, ...
};

/// What two sides say about each other: data for the renderers.
struct Comparison {
    Side base;
    Side candidate;
    std::vector<SpecChange> spec_changes;
    std::vector<Concern> concerns;
    std::vector<Delta> deltas; ///< in the catalogue's order
    Verdict verdict = Verdict::inconclusive;
    std::vector<std::string> notes;        ///< what the runs noted, and excluded runs
    std::vector<std::string> not_measured; ///< what this comparison does not decide
};

/// Exact metrics are judged by equality and by direction. Sampled metrics are shown with all their
/// values and stay inconclusive. The verdict of the whole is not-comparable when nothing may be
/// compared; else the first that any judged row has of regressed, inconclusive, improved; else
/// same.
[[nodiscard]] Comparison compare(const Side& base, const Side& candidate);

/// For `diff --exit-code`: 4 when a row is not comparable, else 1 when an exact metric differs,
/// else 0. A sampled metric that is inconclusive is no difference.
[[nodiscard]] ExitCode exit_code_of(const Comparison& comparison);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::Verdict> {
    using enum kvprof::analyzers::Verdict;
    static constexpr std::array values{
        std::pair{regressed, "regressed"},
        std::pair{improved, "improved"},
        std::pair{same, "same"},
        std::pair{inconclusive, "inconclusive"},
        std::pair{not_comparable, "not comparable"}};
};
