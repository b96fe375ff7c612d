#pragma once

#include "report/report.h"

#include <string>
#include <vector>

namespace kvprof::report {

/// Complete runs of one specification: for the formats that list values and know no comparison.
struct Series {
    std::string name;    ///< "decode/batch=8/index-mode=stream": a benchmark's name, without blanks
    std::string cell;    ///< the case or the variant, "batch=8"; empty for a lone one
    std::string side;    ///< "base", "candidate"; empty outside a comparison
    std::string variant; ///< of its runs, "index-mode=stream batch=8"
    std::vector<const Run*> runs; ///< of the report, which has to outlive this
};

/// In the order of the report. Two series never share a name.
[[nodiscard]] std::vector<Series> series_of(const Report& report);

} // namespace kvprof::report
