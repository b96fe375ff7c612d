#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

/// What a text says in figures, in order: every word with a digit in it (with its sign), units, and
/// the words of verdicts. Not the version of the program that wrote it: "kvprof 0.1.0".
[[nodiscard]] std::vector<std::string> figures_of(std::string_view text);

/// How many of them are plain numbers: "3.586", "-0.38", "65,536".
[[nodiscard]] std::size_t count_numbers(std::string_view text);

/// The text, or so much of it around its first difference from the other that it can be read.
[[nodiscard]] std::string excerpt(std::string_view text, std::string_view other);

} // namespace kvprof::report
