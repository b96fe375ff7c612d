#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kvprof::import {

/// What was repaired in strings, counted a string.
struct TextDefects {
    std::int64_t invalid_utf8 = 0;
    std::int64_t control_characters = 0;
    std::int64_t unknown_escapes = 0;
};

/// The text that a JSON string stands for, without its quotes: always UTF-8. What is none, a half
/// of a surrogate pair too, becomes U+FFFD; raw control characters stay; an unknown escape keeps
/// its backslash.
[[nodiscard]] std::string decode_json_string(std::string_view raw, TextDefects& defects);

} // namespace kvprof::import
