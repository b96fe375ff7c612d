#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What the gate answered about runs whose truth is known.
struct SelftestRow {
    std::string what;       ///< "selftest A/A", "selftest +2 %": the label of its experiments
    double injected = 0.0;  ///< true change: a ratio less 1
    double threshold = 0.0; ///< of the gated metric: a ratio less 1
    std::size_t gates = 0;
    std::size_t regressed = 0;
    std::size_t improved = 0;
    std::size_t same = 0;
    std::size_t inconclusive = 0;
    bool holds = false; ///< the answers are those that the method promises

    friend bool operator==(const SelftestRow&, const SelftestRow&) = default;
};

/// kvprof.selftest/1. @param design how the rows were made: "8 + 8 runs a gate; a step takes 3.58
/// ms, ..."
[[nodiscard]] std::string
selftest_json(const std::vector<SelftestRow>& rows, const std::string& design);

/// Whether all rows hold; false without rows.
[[nodiscard]] bool holds(const std::vector<SelftestRow>& rows);

} // namespace kvprof::analyzers
