#pragma once

#include "capture/workload/model_spec.h"

#include <span>
#include <string>
#include <string_view>

namespace kvprof::workload {

/// The models that are built in, in the order of --help-presets.
[[nodiscard]] std::span<const ModelSpec> built_in_presets();

/// A built-in preset by name, or a TOML file by path (anything with a `/` or ending in `.toml`).
/// @throws UsageError naming the nearest built-in name, or line and column in the file.
[[nodiscard]] ModelSpec load_preset(const std::string& name_or_path);

/// Reads a preset's TOML text. Unknown keys are errors. @throws UsageError `source:line:column:
/// ...`.
[[nodiscard]] ModelSpec parse_preset(std::string_view text, std::string_view source);

} // namespace kvprof::workload
