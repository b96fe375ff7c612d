#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

/// What `kvprof schema` knows: "gate" for kvprof.gate/1, in alphabetical order.
[[nodiscard]] std::vector<std::string> schema_names();

/// The JSON Schema (draft 2020-12) of a document, whole: it refers to no other. It describes what
/// this program writes; within one version members are only added, so it forbids no others.
/// @param name "gate" or "kvprof.gate/1" @throws UsageError with the nearest name
[[nodiscard]] std::string schema_text(std::string_view name);

} // namespace kvprof::report
