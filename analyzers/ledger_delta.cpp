#include "analyzers/ledger_delta.h"

#include "analyzers/pass_times.h"
#include "analyzers/time_ledger.h"
#include "stats/bootstrap.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// A rest of more than this share of the step's change is worth a word.
constexpr double kLargeRest = 0.25;

double squared(double value) {
    return value * value;
}

/// One figure over the runs of a side, each run's with its own interval.
using Figures = std::vector<Estimate>;

double mean_of(const Figures& figures) {
    double total = 0.0;
    for (const Estimate& figure : figures) {
        total += figure.value;
    }
    return figures.empty() ? 0.0 : total / static_cast<double>(figures.size());
}

/// The squared standard error of the mean. @pre two figures
double squared_error(const Figures& figures) {
    const double mean = mean_of(figures);
    double total = 0.0;
    for (const Estimate& figure : figures) {
        total += squared(figure.value - mean);
    }
    const auto n = static_cast<double>(figures.size());
    return total / (n - 1.0) / n;
}

/// Half of Welch's interval. @pre two figures a side
double welch_margin(const Figures& base, const Figures& candidate) {
    const double first = squared_error(base);
    const double second = squared_error(candidate);
    const double both = first + second;
    if (both <= 0.0) {
        return 0.0;
    }
    const auto n = static_cast<double>(base.size());
    const auto m = static_cast<double>(candidate.size());
    const double degrees =
        squared(both) / (squared(first) / (n - 1.0) + squared(second) / (m - 1.0));
    const auto whole = static_cast<std::size_t>(std::max(1.0, std::floor(degrees)));
    return stats::student_t(whole, 0.975) * std::sqrt(both);
}

/// The margin of a mean whose figures have margins of their own; nothing when one has none.
std::optional<double> own_margin(const Figures& figures) {
    double total = 0.0;
    for (const Estimate& figure : figures) {
        if (!figure.interval) {
            return std::nullopt;
        }
        total += squared(margin_of(figure));
    }
    return std::sqrt(total) / static_cast<double>(figures.size());
}

Estimate around(double value, std::optional<double> margin) {
    Estimate estimate{.value = value, .interval = std::nullopt};
    if (margin) {
        estimate.interval = Interval{value - *margin, value + *margin};
    }
    return estimate;
}

/// Candidate less base: over runs where both sides have two, else of the runs' own intervals.
Estimate change_between(const Figures& base, const Figures& candidate) {
    const double value = mean_of(candidate) - mean_of(base);
    if (base.size() >= 2 && candidate.size() >= 2) {
        return around(value, welch_margin(base, candidate));
    }
    const std::optional<double> first = own_margin(base);
    const std::optional<double> second = own_margin(candidate);
    return first && second ? around(value, std::hypot(*first, *second))
                           : around(value, std::nullopt);
}

/// An interval of one value around another: the lines' sum and the sum of the figures are equal but
/// for rounding.
Estimate moved_to(Estimate estimate, double value) {
    return around(value, estimate.interval ? std::optional(margin_of(estimate)) : std::nullopt);
}

/// From so many traced runs a side a resampled interval says more than Student's.
constexpr std::size_t kFewestToResample = 5;
constexpr std::uint64_t kResampleSeed = 42; // fixed: the same runs give the same digits

std::vector<double> values_of(const Figures& figures) {
    std::vector<double> values;
    for (const Estimate& figure : figures) {
        values.push_back(figure.value);
    }
    return values;
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of sums over kernels, around `value`: no rank test inverts them, so runs are resampled where
/// there are enough.
Estimate kernels_between(const Figures& base, const Figures& candidate, double value) {
    if (base.size() < kFewestToResample || candidate.size() < kFewestToResample) {
        return moved_to(change_between(base, candidate), value);
    }
    const auto [low, high] = stats::bootstrap(
        values_of(base),
        values_of(candidate),
        [](std::span<const double> a, std::span<const double> b) {
            return mean_of(b) - mean_of(a);
        },
        kResampleSeed
    );
    return {.value = value, .interval = Interval{low, high}};
}

/// The sum of two figures whose errors have nothing to do with each other.
Estimate sum_of(const Estimate& a, const Estimate& b) {
    const bool has_both = a.interval && b.interval;
    return around(
        a.value + b.value,
        has_both ? std::optional(std::hypot(margin_of(a), margin_of(b))) : std::nullopt
    );
}

/// A part of a step; an op counts as one wherever it runs.
struct PartKey {
    TimePart part{};
    std::optional<OpKind> op;

    friend auto operator<=>(const PartKey&, const PartKey&) = default;
};

std::string name_of(const PartKey& key) {
    if (key.op) {
        return std::string(to_string(*key.op));
    }
    return analyzers::name_of(TimeLine{key.part, std::nullopt, std::nullopt, {}});
}

/// The ledgers of a side's traced runs.
struct SideLedger {
    std::map<PartKey, Figures> parts; ///< one figure a run
    Figures kernels;                  ///< sums of the ops
    std::size_t runs = 0;
};

constexpr Estimate kNothing{.value = 0.0, .interval = Interval{0.0, 0.0}};

void add_run(SideLedger& side, const TimeLedger& ledger) {
    Estimate kernels = kNothing;
    std::map<PartKey, Estimate> parts;
    for (const TimeLine& line : ledger.parts) {
        const PartKey key{line.part, line.op};
        const auto found = parts.find(key);
        if (found == parts.end()) {
            parts.emplace(key, line.ns);
        } else {
            found->second = sum_of(found->second, line.ns);
        }
        if (line.part == TimePart::op) {
            kernels = sum_of(kernels, line.ns);
        }
    }
    for (const auto& [key, figure] : parts) {
        Figures& figures = side.parts[key];
        figures.resize(side.runs, kNothing); // runs before this one that did not have the part
        figures.push_back(figure);
    }
    side.kernels.push_back(kernels);
    ++side.runs;
    for (auto& [key, figures] : side.parts) {
        figures.resize(side.runs, kNothing);
    }
}

SideLedger ledger_of(const Side& side) {
    SideLedger ledgers;
    for (const Run& run : side.runs) {
        if (const std::optional<TimeLedger> ledger = time_ledger(run)) {
            add_run(ledgers, *ledger);
        }
    }
    return ledgers;
}

const Figures& figures_of(const SideLedger& side, const PartKey& key, const Figures& none) {
    const auto found = side.parts.find(key);
    return found == side.parts.end() ? none : found->second;
}

std::vector<LedgerLine> lines_of(const SideLedger& base, const SideLedger& candidate) {
    const Figures none_of_base(base.runs, kNothing);
    const Figures none_of_candidate(candidate.runs, kNothing);
    std::map<PartKey, bool> keys;
    for (const SideLedger* side : {&base, &candidate}) {
        for (const auto& [key, figures] : side->parts) {
            keys[key] = true;
        }
    }
    std::vector<LedgerLine> lines;
    for (const auto& [key, is_there] : keys) {
        const Figures& first = figures_of(base, key, none_of_base);
        const Figures& second = figures_of(candidate, key, none_of_candidate);
        lines.push_back(
            {.name = name_of(key),
             .is_op = key.part == TimePart::op,
             .base = mean_of(first),
             .candidate = mean_of(second),
             .change = change_between(first, second)}
        );
    }
    const auto first_other =
        std::stable_partition(lines.begin(), lines.end(), [](const LedgerLine& line) {
            return line.is_op;
        });
    std::stable_sort(lines.begin(), first_other, [](const LedgerLine& a, const LedgerLine& b) {
        return std::abs(a.change.value) > std::abs(b.change.value);
    });
    return lines;
}

void explain_rest(LedgerDelta& delta, const Side& base, const Side& candidate) {
    const Figures before = untraced_steps(base.runs);
    const Figures after = untraced_steps(candidate.runs);
    if (before.empty() || after.empty()) {
        return;
    }
    delta.untraced = change_between(before, after);
    const Estimate minus_kernels = moved_to(delta.kernels, -delta.kernels.value);
    delta.rest = sum_of(*delta.untraced, minus_kernels);
    delta.is_finding =
        delta.rest->interval && std::abs(delta.rest->value) > margin_of(*delta.rest)
        && std::abs(delta.rest->value) > kLargeRest * std::abs(delta.untraced->value);
}

Figures traced_of(const Side& side) {
    Figures figures;
    for (const Run& run : side.runs) {
        if (const std::optional<TimeLedger> ledger = time_ledger(run)) {
            figures.push_back(ledger->traced);
        }
    }
    return figures;
}

} // namespace

std::optional<LedgerDelta> ledger_delta(const Side& base, const Side& candidate) {
    const SideLedger first = ledger_of(base);
    const SideLedger second = ledger_of(candidate);
    if (first.runs == 0 || second.runs == 0) {
        return std::nullopt;
    }
    LedgerDelta delta;
    delta.base_runs = first.runs;
    delta.candidate_runs = second.runs;
    delta.lines = lines_of(first, second);
    double kernels = 0.0;
    double others = 0.0;
    for (const LedgerLine& line : delta.lines) {
        (line.is_op ? kernels : others) += line.change.value;
    }
    delta.kernels = kernels_between(first.kernels, second.kernels, kernels);
    delta.traced =
        moved_to(change_between(traced_of(base), traced_of(candidate)), kernels + others);
    explain_rest(delta, base, candidate);
    return delta;
}

} // namespace kvprof::analyzers
