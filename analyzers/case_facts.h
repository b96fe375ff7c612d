#pragma once

#include "analyzers/baseline_rules.h"
#include "analyzers/compare.h"
#include "analyzers/compare_rows.h"
#include "analyzers/limit_judge.h"
#include "analyzers/profile_windows.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace kvprof::analyzers {

/// What holds for all rows of one case, found before any value is looked at.
struct CaseFacts {
    const CompareOptions* how = nullptr;
    const Side* base = nullptr;
    const Side* candidate = nullptr;
    std::string forbidden_by;  ///< the fields that forbid the comparison; empty: none
    bool is_disturbed = false; ///< `disturbances` of the timing pass
    bool is_paired = false;    ///< the design has pairs enough for the signed-rank test
    /// Of a stored baseline: the unit is the occasion.
    std::optional<Occasions> base_occasions;
    std::optional<Occasions> candidate_occasions;
    const Calibration* base_noise = nullptr;
    const Calibration* candidate_noise = nullptr;
    double interval_alpha = 0.05;
    double alpha = 0.05;  ///< of the primary family
    double q = 0.05;      ///< of the other one
    Windows windows;      ///< of imported sides
    double step_ns = 0.0; ///< the base's untraced step; 0: unknown
    std::unordered_set<std::string> primary_ids;
    bool has_primary_kernels = false;
    std::vector<std::string> remarks; ///< for rows of times: runs that were not steady, ...

    /// Why no time of a stored baseline is judged; empty when it can be.
    [[nodiscard]] std::string shortfall() const;
};

/// All but what comparability says. @pre `base`, `candidate` and `how` outlive the facts
[[nodiscard]] CaseFacts
facts_of(const Side& base, const Side& candidate, const CompareOptions& how);

/// The units of a test.
struct Units {
    std::vector<double> base;
    std::vector<double> candidate;
    RankMethod method = RankMethod::rank_sum;
};

/// The values by pair, by occasion, or one a run.
[[nodiscard]] Units units_of(const ByRun& base, const ByRun& candidate, const CaseFacts& facts);

/// The metric's noise by the calibrations of both sides: the greater floor and deviation; nothing
/// without a calibration.
[[nodiscard]] std::optional<MetricNoise> noise_for(const std::string& id, const CaseFacts& facts);

} // namespace kvprof::analyzers
