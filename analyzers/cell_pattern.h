#pragma once

#include "capture/model/params.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// "batch=64,seq-len=*,*": the cases of a matrix whose fields have these values. A value is a glob
/// (* and ?); a lone * holds for every case; "bs" is short for "batch".
/// @throws UsageError for an item of any other shape, and an unknown field (with the nearest).
[[nodiscard]] std::vector<Param> parse_cell_pattern(std::string_view text);

/// Whether all fields have a value that fits. @param params `params_of` a run
[[nodiscard]] bool fits(const std::vector<Param>& pattern, const std::vector<Param>& params);

} // namespace kvprof::analyzers
