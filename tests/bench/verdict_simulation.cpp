// How often the rule of the verdicts is wrong about identical code, and how often it finds an
// effect of the size that it says it would find, on boxes with three kinds of synthetic noise. The
// draws are seeded: the figures are the same on every machine. Exits with 1 when one is out of
// bounds.

#include "analyzers/sampled_test.h"
#include "stats/detectable.h"
#include "stats/median.h"
#include "stats/noise_floor.h"
#include "stats/split_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string_view>
#include <vector>

namespace {

using namespace kvprof;

constexpr std::size_t kBoxes = 400;
constexpr std::size_t kComparisons = 10; // on each box, which is calibrated once
constexpr std::size_t kTrials = kBoxes * kComparisons;
constexpr std::size_t kRuns = 8; // a side, in four blocks ABBA or BAAB
constexpr std::size_t kReplays = 200;
constexpr std::size_t kCalibrationRuns = 12;
constexpr double kAlpha = 0.05;
constexpr double kThreshold = 0.01;
constexpr double kNoThreshold = 0.0001;
constexpr double kDriftPerRun = 0.0015;

/// Standard deviations, of logs: between the runs of a box, and between the replays of a run.
struct Noise {
    std::string_view name;
    double between = 0.0;
    double within = 0.0;
};

constexpr std::array kNoises{
    Noise{"run 0.8 %, replay 0.5 %", 0.008, 0.005},
    Noise{"run 0.2 %, replay 1 %", 0.002, 0.01},
    Noise{"run 2 %, replay 1 %", 0.02, 0.01}};

class Source {
  public:
    explicit Source(std::uint64_t seed)
        : random_(seed) {}

    /// Box and Muller's transformation.
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

    bool coin() { return random_.below(2) == 0; }

  private:
    /// Above 0 and below 1.
    double uniform() { return (static_cast<double>(random_.next() >> 11U) + 0.5) * 0x1p-53; }

    stats::SplitMix64 random_;
};

/// The log of the median over the replays of a run, 0 without noise.
double run_of(const Noise& noise, Source& source) {
    const double layout = noise.between * source.normal();
    std::vector<double> replays(kReplays);
    for (double& replay : replays) {
        replay = noise.within * source.normal();
    }
    return layout + stats::median(std::move(replays));
}

/// Logs of the runs of a comparison in their order: two after each other are a pair.
struct Trial {
    std::array<double, 2 * kRuns> runs{};
    std::array<bool, 2 * kRuns> is_base{};
};

Trial trial_of(const Noise& noise, Source& source) {
    Trial trial;
    for (double& run : trial.runs) {
        run = run_of(noise, source);
    }
    for (std::size_t block = 0; block < trial.runs.size(); block += 4) {
        const bool is_abba = source.coin();
        for (std::size_t i = 0; i < 4; ++i) {
            trial.is_base[block + i] = (i == 0 || i == 3) == is_abba;
        }
    }
    return trial;
}

/// What is put on top of the noise, in logs.
struct Added {
    double drift = 0.0;  ///< a run
    double effect = 0.0; ///< of the candidate
};

analyzers::Verdict verdict_of(const Trial& trial, const Added& added, double threshold) {
    std::array<double, kRuns> base{};
    std::array<double, kRuns> candidate{};
    for (std::size_t i = 0; i < trial.runs.size(); ++i) {
        const double log = trial.runs[i] + added.drift * static_cast<double>(i);
        if (trial.is_base[i]) {
            base[i / 2] = std::exp(log);
        } else {
            candidate[i / 2] = std::exp(log + added.effect);
        }
    }
    const analyzers::SampledTest test =
        analyzers::test_sampled(base, candidate, analyzers::RankMethod::signed_rank, kAlpha);
    return analyzers::judge_sampled(test, analyzers::Direction::lower, threshold, kAlpha).verdict;
}

/// A kind of noise: the calibrated thresholds of its boxes, and their comparisons box by box.
struct Sample {
    std::vector<double> thresholds;
    std::vector<Trial> trials;
};

Sample sample_of(const Noise& noise, std::uint64_t seed) {
    Source source(seed);
    Sample sample;
    for (std::size_t box = 0; box < kBoxes; ++box) {
        std::vector<double> calibration;
        for (std::size_t i = 0; i < kCalibrationRuns; ++i) {
            calibration.push_back(std::exp(run_of(noise, source)));
        }
        const double floor = std::expm1(stats::noise_floor(calibration, seed).log_ratio);
        sample.thresholds.push_back(std::max(kThreshold, floor));
        for (std::size_t i = 0; i < kComparisons; ++i) {
            sample.trials.push_back(trial_of(noise, source));
        }
    }
    return sample;
}

double deviation_of_pairs(const Sample& sample) {
    std::vector<double> ratios;
    for (const Trial& trial : sample.trials) {
        for (std::size_t i = 0; i < trial.runs.size(); i += 2) {
            ratios.push_back(trial.runs[i + 1] - trial.runs[i]);
        }
    }
    return stats::deviation(ratios);
}

/// Shares of the comparisons.
struct Shares {
    double false_alarms = 0.0; ///< regressed or improved, at 1 %
    double calibrated = 0.0;   ///< the same at the greater of 1 % and the box's floor
    double drifting = 0.0;     ///< at 1 %, while each run is slower than the one before
    double power = 0.0;        ///< regressed, when the effect is what the report calls detectable
    double effect = 0.0;       ///< that one, as a ratio less 1
};

Shares shares_of(const Sample& sample) {
    const auto is_alarm = [](analyzers::Verdict verdict) {
        return verdict == analyzers::Verdict::regressed || verdict == analyzers::Verdict::improved;
    };
    Shares shares;
    shares.effect = stats::detectable_effect(
        stats::paired_detectable_factor(kRuns).value(), deviation_of_pairs(sample)
    );
    const Added effect{.effect = std::log1p(shares.effect)};
    constexpr double kEach = 1.0 / static_cast<double>(kTrials);
    for (std::size_t i = 0; i < kTrials; ++i) {
        const Trial& trial = sample.trials[i];
        const double floor = sample.thresholds[i / kComparisons];
        shares.false_alarms += is_alarm(verdict_of(trial, {}, kThreshold)) ? kEach : 0.0;
        shares.calibrated += is_alarm(verdict_of(trial, {}, floor)) ? kEach : 0.0;
        const Added drift{.drift = kDriftPerRun};
        shares.drifting += is_alarm(verdict_of(trial, drift, kThreshold)) ? kEach : 0.0;
        const bool is_found =
            verdict_of(trial, effect, kNoThreshold) == analyzers::Verdict::regressed;
        shares.power += is_found ? kEach : 0.0;
    }
    return shares;
}

bool is_within_bounds(const Shares& shares) {
    return shares.false_alarms <= 0.04 && shares.calibrated <= 0.02 && shares.drifting <= 0.05
           && shares.power >= 0.70 && shares.power <= 0.90;
}

} // namespace

int main() {
    fmt::print(
        "{} comparisons of {} runs a side, signed-rank, a change counts from 1 %\n\n",
        kTrials,
        kRuns
    );
    constexpr std::string_view kRow = "{:<26}{:>12}{:>12}{:>12}{:>12}{:>18}\n";
    fmt::print(kRow, "noise", "identical", "calibrated", "drifting", "detectable", "found at that");
    fmt::print(kRow, "", "<= 4 %", "<= 2 %", "<= 5 %", "", "70 .. 90 %");
    bool is_kept = true;
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100.0 * share); };
    for (std::size_t i = 0; i < kNoises.size(); ++i) {
        const Shares shares = shares_of(sample_of(kNoises[i], i + 1));
        fmt::print(
            kRow,
            kNoises[i].name,
            percent(shares.false_alarms),
            percent(shares.calibrated),
            percent(shares.drifting),
            percent(shares.effect),
            percent(shares.power)
        );
        is_kept = is_kept && is_within_bounds(shares);
    }
    if (!is_kept) {
        fmt::print("\na share is out of its bounds\n");
    }
    return is_kept ? 0 : 1;
}
