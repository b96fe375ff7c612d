#pragma once

#include "capture/import/options.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kvprof::import {

/// Which pattern of steps a range's name is of, 0 for the first that is asked for: torch's
/// "ProfilerStep#5", SGLang's "step[DECODE bs=8]", vLLM's "execute_context_0(0)_generation_8(8)",
/// TensorRT-LLM's "[Executor] _forward_step 5: ...", or only the user's own. Absent for others.
[[nodiscard]] std::optional<std::size_t>
step_pattern_of(std::string_view name, const ReadOptions& options);

/// How a pattern is called where steps are explained: "ProfilerStep".
[[nodiscard]] std::string step_pattern_name(std::size_t pattern, const ReadOptions& options);

} // namespace kvprof::import
