#pragma once

#include "report/report.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::report {

enum class Outcome : std::uint8_t { passed, failed, error, skipped };

/// One judged row, or something that should have been one.
struct JunitTest {
    std::string name;
    Outcome outcome = Outcome::passed;
    std::string type;    ///< of a failure or an error: "regressed", "not comparable"
    std::string message; ///< "+1.49% [+1.41, +1.57] > 1%"
    std::string remark;  ///< of a regression that is accepted, or is no longer
};

struct JunitSuite {
    std::string name;
    std::string timestamp; ///< when its newest run started; empty: unknown
    double seconds = 0.0;  ///< that its runs measured
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<JunitTest> tests;
};

/// A suite a case, then those for variants without a counterpart and for claims, where there are
/// any. The first one says which report it is, and by which recipe. @throws UsageError when nothing
/// is judged
[[nodiscard]] std::vector<JunitSuite> junit_suites(const Report& report);

} // namespace kvprof::report
