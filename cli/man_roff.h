#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

/// Prose as roff: a word that starts with a hyphen keeps it as the sign that a shell reads, and
/// what is no ASCII becomes its code point.
[[nodiscard]] std::string roff_text(std::string_view text);

/// Words of a command line or a file as roff: each sign stays what it is when it is copied.
[[nodiscard]] std::string roff_code(std::string_view text);

/// Markdown's `code` and [text](link) inside a line of prose, the first as bold words.
[[nodiscard]] std::string roff_of_markdown(std::string_view text);

[[nodiscard]] std::string bold(std::string_view roff);
[[nodiscard]] std::string italic(std::string_view roff);

/// A line of text: one that begins as a request does gets a mark of no width before it.
[[nodiscard]] std::string roff_line(std::string_view roff);

/// The paragraphs of prose that follow `heading` in a page of Markdown, up to a list, a table, a
/// block of code or another heading; a paragraph is one line.
[[nodiscard]] std::vector<std::string>
first_paragraphs(std::string_view page, std::string_view heading);

/// The rows of the first table under `heading`, without its head: each cell as it is written.
[[nodiscard]] std::vector<std::vector<std::string>>
first_table(std::string_view page, std::string_view heading);

} // namespace kvprof::cli
