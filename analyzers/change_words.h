#pragma once

#include "analyzers/estimate.h"
#include "analyzers/metric.h"
#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"

#include <string>

namespace kvprof::analyzers {

// A change is never shown without what it is worth: its interval, or that there is none.

/// Whether the test's interval is finite: too few runs have none.
[[nodiscard]] bool has_interval(const SampledTest& test);

/// "+1.49 % [+1.41, +1.57]", "+1.46 % (no interval)"; of a difference "-2.0 MiB [-2.1 MiB, ...]".
[[nodiscard]] std::string change_words(const SampledTest& test, Unit unit);
/// "+171.2 us [+160.0, +182.4]" of nanoseconds, or "+171.2 us (no interval)".
[[nodiscard]] std::string time_change_words(const Estimate& change);
/// "+154.2 us", "-1.20 ms", "+0.00 us" of nanoseconds.
[[nodiscard]] std::string signed_time(double ns);
/// "+154.20 us", "-1.00 GiB", "0".
[[nodiscard]] std::string signed_value(Unit unit, double value);
/// "1 %", "0.09 %", "25.1 %", or "2.00 us" of a difference: a limit, or what would have been seen.
[[nodiscard]] std::string effect_words(double effect, bool is_ratio, Unit unit);
/// "3 % and 200 ns and 0.1 % of the step": all limits that a change has to pass.
[[nodiscard]] std::string limits_words(const Limits& limits, Unit unit);
/// "0.0078", "0.000583", "1".
[[nodiscard]] std::string p_words(double p);

} // namespace kvprof::analyzers
