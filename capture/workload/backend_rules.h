#pragma once

#include "capture/workload/backend.h"
#include "capture/workload/model_spec.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kvprof::workload {

/// Whether the backend's kernels take pages of so many tokens.
[[nodiscard]] bool takes_page_size(const Backend& backend, std::int64_t page_size);

/// Whether a whole step of these options is one that the backend can make: its page sizes, rows and
/// heads, the pool, index mode, metadata form, context parallelism, speculation, consumers,
/// compaction and id space. `spec` is resolved.
/// @throws UsageError "could not plan the step: rule <name>: <values>", the hint says what fits.
void check_backend(const StepSpec& spec, const ModelSpec& model, const Backend& backend);

/// The names of all rules, in the order in which they are asked.
[[nodiscard]] std::vector<std::string_view> backend_rules();

} // namespace kvprof::workload
