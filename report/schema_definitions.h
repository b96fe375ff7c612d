#pragma once

#include "analyzers/json_values.h"

namespace kvprof::report {

/// Definitions of JSON Schema that follow from the program: every list of words, and the fields of
/// the specifications and of the environment.
[[nodiscard]] analyzers::Json generated_definitions();

} // namespace kvprof::report
