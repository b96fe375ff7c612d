#pragma once

#include "capture/model/step_spec.h"

#include <string_view>

namespace kvprof::analyzers {

/// Whether the work of an op's kernel grows with the lengths of the lanes, so that a time that does
/// not is work that nobody needs: it reads or writes a word for each live token, or for each page
/// of them. The others follow the lanes, the pages that are bound, freed or moved, or a window.
/// @param kernel its name; empty: all that the op launches
/// @param step whose options are decided
[[nodiscard]] bool follows_live_tokens(OpKind op, std::string_view kernel, const StepSpec& step);

} // namespace kvprof::analyzers
