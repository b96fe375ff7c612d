#pragma once

#include <cstddef>

namespace kvprof::analyzers {

/// The 97.5 % quantile of Student's distribution: half a two-sided 95 % interval, in standard
/// errors. @pre degrees >= 1
[[nodiscard]] double student_t(std::size_t degrees);

} // namespace kvprof::analyzers
