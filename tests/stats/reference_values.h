#pragma once

#include "stats/rank_test.h"
#include "stats/shift.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// The reference cases that the methodology was worked out with: medians of runs.
namespace kvprof::stats::reference {

using Values = std::vector<double>;

struct Sides {
    Values a;
    Values b;
};

/// A decode step in us, seven runs of the base.
inline const Values kStep{12410.2, 12396.7, 12431.9, 12405.5, 12418.3, 12389.0, 12402.6};

/// Tokens per second, higher is better: swapped, so that a ratio above 1 is worse.
inline const Sides kV1{{5239.63, 5241.60, 5250.28}, {5164.96, 5166.33, 5167.17}};
inline const Sides kV2{{1.000, 1.002, 0.998, 1.001, 0.999}, {1.016, 1.014, 1.018, 1.015, 1.017}};
inline const Sides kV3{kStep, {12598.1, 12571.4, 12633.0, 12584.9, 12609.7, 12560.2, 12590.8}};
inline const Sides kV4{kStep, {12404.1, 12421.8, 12399.3, 12412.7, 12393.5, 12408.8, 12427.0}};
inline const Sides kV5{kStep, {12453.6, 12440.1, 12475.4, 12448.9, 12461.8, 12432.4, 12446.0}};
inline const Sides kV6{
    {47.1, 52.3, 45.0, 58.8, 49.9, 44.2, 61.0}, {50.2, 66.1, 47.7, 59.5, 55.4, 46.3, 63.9}};
inline const Sides kV7{{2656, 2656, 2688, 2656, 2688}, {2688, 2720, 2688, 2720, 2688}};
inline const Sides kV8{Values(6, 2656.0), Values(6, 2656.0)};
inline const Sides kV9{
    {12218.9, 12540.0, 12352.9, 12671.8, 12136.0, 12480.6, 12593.6, 12287.2},
    {12279.9, 12627.9, 12434.4, 12731.3, 12218.5, 12559.2, 12662.8, 12370.8}};
inline const Sides kV10{kStep, {12498.0, 12561.0, 12610.0, 12455.0, 12575.0, 12530.0, 12590.0}};
/// Time in ms, and the same in cycles of the SM clock.
inline const Sides kV11{{101.2, 101.0, 101.4, 101.1, 101.3}, {105.0, 104.7, 105.2, 104.9, 105.1}};
inline const Values kV11ClocksB{1.690, 1.695, 1.688, 1.692, 1.690};
inline const Sides kV16{
    {12410.2, 12396.7, 12431.9, 12405.5, 12418.3, 12389.0, 12402.6, 12409.1},
    {12598.1, 12571.4, 12633.0, 12584.9, 12609.7, 12560.2, 12590.8, 12594.6}};

/// Window medians of a warm-up, ms.
inline const Values kWindows{12.61, 12.52, 12.47, 12.44, 12.42, 12.41, 12.41, 12.40, 12.41, 12.40};

inline Values logs_of(std::span<const double> values) {
    Values logs;
    for (const double value : values) {
        logs.push_back(std::log(value));
    }
    return logs;
}

inline Values log_ratios(const Sides& sides) {
    Values ratios;
    for (std::size_t i = 0; i < sides.a.size(); ++i) {
        ratios.push_back(std::log(sides.b[i]) - std::log(sides.a[i]));
    }
    return ratios;
}

/// What runs of identical code show in this order while each one is 0.15 % slower than the first
/// was than the one before it.
inline Sides drifting(std::string_view order) {
    Sides sides;
    double run = 0.0;
    for (const char side : order) {
        (side == 'A' ? sides.a : sides.b).push_back(1.0 + 0.0015 * run);
        run += 1.0;
    }
    return sides;
}

} // namespace kvprof::stats::reference
