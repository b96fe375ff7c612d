#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kvprof::report {

/// Characters (code points) of UTF-8: the bytes that do not continue one.
[[nodiscard]] std::size_t characters(std::string_view text);

/// A name as one line of UTF-8: what is no UTF-8 and control characters become U+FFFD, so that none
/// reaches a terminal; line breaks and tabs become blanks.
[[nodiscard]] std::string one_line(std::string_view text);

/// The longest start of the text with this many characters. @pre text is UTF-8
[[nodiscard]] std::string start_of(std::string_view text, std::size_t most);

/// "index-mode=rec...batch=8": the text without its middle when it has over `width` characters.
/// @pre text is UTF-8, width >= 3
[[nodiscard]] std::string elided(std::string_view text, std::size_t width);

} // namespace kvprof::report
