#include "analyzers/student_t.h"

#include <array>
#include <cassert>

namespace kvprof::analyzers {

double student_t(std::size_t degrees) {
    assert(degrees > 0);
    constexpr std::array kTable{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    if (degrees <= kTable.size()) {
        return kTable[degrees - 1];
    }
    // Two terms of the expansion about the normal quantile (Abramowitz and Stegun 26.7.5).
    constexpr double kNormal = 1.959964;
    const double n = static_cast<double>(degrees);
    return kNormal + 2.37227 / n + 2.82250 / (n * n);
}

} // namespace kvprof::analyzers
