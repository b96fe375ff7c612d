#pragma once

#include <cstddef>
#include <string_view>

namespace kvprof {

/// Bytes of the UTF-8 character that starts with `lead`; 0 when none does.
[[nodiscard]] std::size_t utf8_length(unsigned char lead);

/// Whether a name can stand in a table, a reference and JSON: UTF-8 without control characters, of
/// at most 200 bytes.
[[nodiscard]] bool is_plain_text(std::string_view text);

} // namespace kvprof
