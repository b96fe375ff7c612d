#pragma once

#include "analyzers/json_values.h"
#include "report/report.h"

#include <vector>

namespace kvprof::report {

/// The member "report" of JSON documents: {"id", "tool", "recipe", "claims", "experiments"}; claims
/// is null where none were checked.
[[nodiscard]] analyzers::Json report_object(const Report& report);

/// That the report's runs are of, in order of appearance; a lone run does not know its own.
[[nodiscard]] std::vector<ExperimentHead> experiments_of(const Report& report);

} // namespace kvprof::report
