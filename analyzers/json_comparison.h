#pragma once

#include "analyzers/cases.h"
#include "analyzers/compare.h"
#include "analyzers/json_values.h"
#include "analyzers/pairs.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// Documents without the name of their schema.

/// kvprof.comparison/1
[[nodiscard]] Json comparison_object(const Comparison& comparison);
/// kvprof.comparisons/1
[[nodiscard]] Json cases_object(const std::vector<Comparison>& cases);
/// kvprof.pairs/1
[[nodiscard]] Json pairs_object(
    const std::string& field,
    const std::vector<NamedCase>& pairs,
    const std::vector<Unpaired>& unpaired
);

/// [{"cell", "comparison"}, ...]
[[nodiscard]] Json case_list(const std::vector<NamedCase>& cases);

} // namespace kvprof::analyzers
