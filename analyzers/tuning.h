#pragma once

#include "capture/model/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a tuning (ExperimentKind::tune) found: the best launch choice of an op at each shape, and
/// the one that is never far from the best.
namespace kvprof::analyzers {

/// A launch choice, as a run's --index-split and its neighbours name it.
struct LaunchChoice {
    IndexSplit split = IndexSplit::automatic;
    std::int64_t threads = 0;
    std::int64_t items = 0;
    std::int64_t blocks = 0;
    LaunchEdges edges = LaunchEdges::automatic;

    /// None of its options is given.
    [[nodiscard]] bool is_shipped() const { return *this == LaunchChoice{}; }

    friend bool operator==(const LaunchChoice&, const LaunchChoice&) = default;
};

[[nodiscard]] LaunchChoice choice_of(const StepSpec& step);

/// What runs of other processes show of identical code, as a share of the time: added to each
/// bound, since one run can not know it.
inline constexpr double kBetweenProcesses = 0.002;

/// The time of a choice at a shape, in nanoseconds a launch.
struct ChoiceTime {
    double ns = 0.0; ///< median over its runs of the median of each
    /// What noise leaves: the least and the greatest bound of the 95 % intervals of its runs'
    /// medians (below six samples: of the samples), and kBetweenProcesses further.
    double low = 0.0;
    double high = 0.0;
    std::size_t runs = 0;

    friend bool operator==(const ChoiceTime&, const ChoiceTime&) = default;
};

/// Why a choice has no time at a shape.
struct UntimedChoice {
    std::size_t choice = 0;
    RunState state{};
    std::string reason;

    friend bool operator==(const UntimedChoice&, const UntimedChoice&) = default;
};

/// Lanes at which choices were timed.
struct TunedShape {
    StepSpec step;                                ///< with no choice in it
    std::vector<std::optional<ChoiceTime>> times; ///< by choice
    std::vector<UntimedChoice> untimed;
    std::optional<std::size_t> best; ///< choice of least time; absent where none has one
    std::vector<std::size_t> ties;   ///< others that noise does not tell from the best

    /// time / best time - 1. @pre the shape has a best
    [[nodiscard]] std::optional<double> regret(std::size_t choice) const;
};

/// The choice whose largest regret over the shapes is least, among those with a time at every shape
/// that has any.
struct JointChoice {
    std::size_t choice = 0;
    double largest_regret = 0.0;
    std::size_t worst_shape = 0;
    /// Others whose largest regret noise does not tell from it.
    std::vector<std::size_t> ties;

    friend bool operator==(const JointChoice&, const JointChoice&) = default;
};

struct Tuning {
    std::string op;
    std::vector<LaunchChoice> choices; ///< the shipped one first, where it was tried
    std::vector<TunedShape> shapes;    ///< in the order of their runs
    std::optional<JointChoice> joint;
    std::optional<std::size_t> shipped; ///< 0 where it was tried

    /// The largest regret of a choice; absent unless it has a time at every shape that has any.
    [[nodiscard]] std::optional<double> largest_regret(std::size_t choice) const;
};

/// Of the runs of a tuning; runs of one step (--repeats) are one time.
[[nodiscard]] Tuning tuning_of(const std::vector<Run>& runs);

} // namespace kvprof::analyzers
