#pragma once

#include <string>
#include <string_view>

namespace kvprof::report {

// Names are input: what no format's grammar can hold is replaced before a renderer escapes the
// rest.

/// UTF-8: U+FFFD in the place of each byte that is no part of a character.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// Text that XML 1.0 can hold: U+FFFD also for control characters but tab, newline and return, and
/// for U+FFFE and U+FFFF. Nothing is escaped.
[[nodiscard]] std::string xml_text(std::string_view text);

/// A word without blanks: each run of blanks (any that Unicode knows) and control characters
/// becomes `joint`, none at the ends. Valid UTF-8.
[[nodiscard]] std::string one_word(std::string_view text, char joint);

} // namespace kvprof::report
