#pragma once

#include "report/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kvprof::report {

/// Lines that can be left out one by one from the bottom: the rows of a table, the items of a list.
struct MarkdownBlock {
    std::string head;               ///< what stands before them: title, titles and rule of a table
    std::vector<std::string> items; ///< each with its line break; a paragraph is one
    bool is_table = false;
};

/// A part in Markdown; `blocks` are those that are not empty.
struct MarkdownPart {
    std::string open; ///< a title, or the start of details with the blank line that tables need
    std::vector<MarkdownBlock> blocks;
    std::string close;
};

[[nodiscard]] MarkdownPart markdown_part(const Part& part);
/// All of it.
[[nodiscard]] std::string whole(const MarkdownPart& part);
/// Of at most `room` characters: as many items of each block as fit, in order, and how many more
/// there are. Empty when nothing fits.
[[nodiscard]] std::string fitted(const MarkdownPart& part, std::size_t room);

/// Titles and rows of a table, each with its line break.
[[nodiscard]] MarkdownBlock table_block(const analyzers::Table& table);
/// A line in bold, with a capital letter and blank lines around it.
[[nodiscard]] std::string bold_title(std::string_view title);
/// "- words".
[[nodiscard]] std::vector<std::string> list_items(const std::vector<std::string>& lines);

} // namespace kvprof::report
