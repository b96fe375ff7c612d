#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// One stored experiment, as `kvprof ls` shows it.
struct ListingRow {
    std::string uuid;
    std::string started_at; ///< UTC, ISO 8601
    std::string label;
    std::string command_line;
    ExperimentState state = ExperimentState::running;
    ExperimentKind kind = ExperimentKind::matrix;
    std::int64_t runs = 0;
    std::int64_t complete_runs = 0;
    std::int64_t void_runs = 0; ///< of `runs`: others took their place
    std::int64_t variants = 0;
    std::vector<std::string> tags;
};

} // namespace kvprof::analyzers
