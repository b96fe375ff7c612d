#pragma once

#include "analyzers/metrics_of.h"

#include <string>
#include <vector>

namespace kvprof::test {

/// The values of the run's series with this id; empty when it has none.
[[nodiscard]] inline std::vector<double> values_of(const Run& run, const std::string& id) {
    for (const analyzers::Series& series : analyzers::metrics_of(run)) {
        if (series.id == id) {
            return series.values;
        }
    }
    return {};
}

} // namespace kvprof::test
