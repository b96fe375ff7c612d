#pragma once

#include <string_view>

namespace kvprof {

/// Whether a name can stand in a table, a reference and JSON: UTF-8 without control characters, of
/// at most 200 bytes.
[[nodiscard]] bool is_plain_text(std::string_view text);

} // namespace kvprof
