#pragma once

#include "analyzers/sweep_points.h"
#include "capture/model/op_kind.h"
#include "stats/line_fit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kvprof::analyzers {

/// What a law is of: a kernel of an op by its name without template arguments, or, without a name,
/// what the timing pass timed: the step, or the op that ran alone.
struct LawSubject {
    std::string kernel;
    std::optional<OpKind> op; ///< absent: the whole step
    Placement placement{};

    friend bool operator==(const LawSubject&, const LawSubject&) = default;

    friend bool operator<(const LawSubject& a, const LawSubject& b) {
        return std::tie(a.kernel, a.op, a.placement) < std::tie(b.kernel, b.op, b.placement);
    }
};

/// One run's figure.
struct LawPoint {
    std::int64_t value = 0; ///< of the axis
    double work = 0.0;      ///< work_along()
    double time_ns = 0.0;   ///< a step
    double launches = 1.0;  ///< a step
    double share = 1.0;     ///< of the step: of a kernel of all traced kernel time
};

/// What the numbers of a law say against a kernel; docs/cost-laws.md has the rules.
enum class LawFlag : std::uint8_t {
    none,
    shape_blind,    ///< does not follow the live tokens that it works on
    capacity_bound, ///< follows what the step is built for, while live tokens stay
    at_launch_floor ///< would be shape-blind, and is as short as a launch: there is nothing to see
};

/// t = a + b * work along one axis, and the elasticity of t, d ln t / d ln work.
struct TimeLaw {
    SweepAxis axis{};
    LawSubject subject;
    std::vector<LawPoint> points; ///< in rising order of value
    /// Least squares over the points; absent with figures at fewer than three values.
    std::optional<stats::LineFit> line;
    std::optional<stats::LineFit> power; ///< its slope is the elasticity
    LawFlag flag = LawFlag::none;

    /// Different values of the axis that have a figure.
    [[nodiscard]] std::size_t places() const;
    /// The largest share of a point.
    [[nodiscard]] double most_share() const;
};

/// Below this elasticity a time does not follow, above that one it does.
inline constexpr double kBlindElasticity = 0.05;
inline constexpr double kBoundElasticity = 0.5;
/// Of the step's kernel time: what takes less everywhere is not worth a flag.
inline constexpr double kLeastShare = 0.005;
/// A launch is at the floor when its longest point is shorter than about two empty graph nodes
/// (1.53 us each) and within half of its shortest.
inline constexpr double kFloorNs = 3000.0;
inline constexpr double kFloorSpread = 1.5;

/// Laws of the timed step, or of the op that ran alone, and of each kernel, by falling share. A
/// kernel's time is traced: its sum over the nodes pass, over the steps. A point without a nodes
/// pass gives kernels no figure.
[[nodiscard]] std::vector<TimeLaw> time_laws(const AxisRuns& axis);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::LawFlag> {
    static constexpr std::array values{
        std::pair{kvprof::analyzers::LawFlag::none, "none"},
        std::pair{kvprof::analyzers::LawFlag::shape_blind, "shape-blind"},
        std::pair{kvprof::analyzers::LawFlag::capacity_bound, "capacity-bound"},
        std::pair{kvprof::analyzers::LawFlag::at_launch_floor, "at-launch-floor"}};
};
