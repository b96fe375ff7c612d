#include "analyzers/case_facts.h"

#include "analyzers/metric_names.h"
#include "analyzers/pass_times.h"
#include "analyzers/validity.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The pairs of a side's runs; nothing when a run has no place, or two have the same.
std::optional<std::set<std::int64_t>> pairs_of(const Side& side) {
    std::set<std::int64_t> pairs;
    for (const Run& run : side.runs) {
        if (!run.ab || !pairs.insert(run.ab->pair()).second) {
            return std::nullopt;
        }
    }
    return pairs;
}

bool has_pairs(const Side& base, const Side& candidate) {
    const auto first = pairs_of(base);
    const auto second = pairs_of(candidate);
    return first && second && *first == *second && first->size() >= kFewestPairs;
}

const Calibration* noise_of_side(const Side& side, const CompareOptions& how) {
    return side.runs.empty() ? nullptr : calibration_for(how.calibrations, side.runs.front());
}

/// By pair: the values that both sides have.
std::optional<Units> pair_units(const ByRun& base, const ByRun& candidate, const CaseFacts& facts) {
    std::map<std::int64_t, std::pair<std::optional<double>, std::optional<double>>> pairs;
    for (std::size_t i = 0; i < base.size(); ++i) {
        pairs[facts.base->runs[i].ab->pair()].first = base[i];
    }
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        pairs[facts.candidate->runs[i].ab->pair()].second = candidate[i];
    }
    Units units;
    units.method = RankMethod::signed_rank;
    for (const auto& [place, values] : pairs) {
        if (values.first.has_value() != values.second.has_value()) {
            return std::nullopt; // a pass that ran on one of them
        }
        if (values.first) {
            units.base.push_back(*values.first);
            units.candidate.push_back(*values.second);
        }
    }
    return units.base.size() >= kFewestPairs ? std::optional(std::move(units)) : std::nullopt;
}

} // namespace

std::string CaseFacts::shortfall() const {
    for (const auto* occasions : {&base_occasions, &candidate_occasions}) {
        if (*occasions && !(*occasions)->shortfall.empty()) {
            return (*occasions)->shortfall;
        }
    }
    return {};
}

CaseFacts facts_of(const Side& base, const Side& candidate, const CompareOptions& how) {
    CaseFacts facts;
    facts.how = &how;
    facts.base = &base;
    facts.candidate = &candidate;
    facts.is_disturbed = !disturbances(base, candidate).empty();
    facts.is_paired = how.is_interleaved && !how.is_unpaired && !how.is_stored_baseline
                      && has_pairs(base, candidate);
    if (how.is_stored_baseline) {
        facts.base_occasions = occasions_of(base, kBaseOccasions, "base");
        facts.candidate_occasions = occasions_of(candidate, kCandidateOccasions, "candidate");
    }
    facts.base_noise = noise_of_side(base, how);
    facts.candidate_noise = noise_of_side(candidate, how);
    const auto looks = static_cast<double>(std::max<std::int64_t>(how.looks, 1));
    facts.alpha = how.policy.alpha / looks;
    facts.q = how.policy.q / looks;
    facts.interval_alpha = looks > 1.0 ? facts.alpha : 0.05;
    facts.step_ns = base.measure.op.empty() ? median_untraced_step(base.runs) : 0.0;
    facts.windows = windows_of(base, candidate);
    for (const std::string& name : how.policy.primary) {
        facts.has_primary_kernels = facts.has_primary_kernels || name == kKernels;
        for (std::string& id : ids_between(how.policy, name, base, candidate)) {
            facts.primary_ids.insert(std::move(id));
        }
    }
    facts.remarks = kept_conditions(base, candidate);
    return facts;
}

Units units_of(const ByRun& base, const ByRun& candidate, const CaseFacts& facts) {
    if (facts.base_occasions && facts.candidate_occasions) {
        return {
            occasion_values(*facts.base_occasions, base),
            occasion_values(*facts.candidate_occasions, candidate),
            RankMethod::rank_sum};
    }
    if (facts.is_paired) {
        if (std::optional<Units> pairs = pair_units(base, candidate, facts)) {
            return *std::move(pairs);
        }
    }
    return {values_of(base), values_of(candidate), RankMethod::rank_sum};
}

std::optional<MetricNoise> noise_for(const std::string& id, const CaseFacts& facts) {
    std::optional<MetricNoise> greatest;
    for (const Calibration* calibration : {facts.base_noise, facts.candidate_noise}) {
        const MetricNoise* const noise =
            calibration == nullptr ? nullptr : noise_of(*calibration, id);
        if (noise == nullptr) {
            continue;
        }
        if (!greatest) {
            greatest = *noise;
        }
        greatest->floor = std::max(greatest->floor, noise->floor);
        greatest->sigma = std::max(greatest->sigma, noise->sigma);
    }
    return greatest;
}

} // namespace kvprof::analyzers
