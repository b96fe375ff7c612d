#include "analyzers/markdown_blocks.h"

#include <fmt/format.h>

#include <cctype>

namespace kvprof::analyzers {

std::string markdown_title(const std::string& title) {
    std::string text = title;
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return fmt::format("\n**{}**\n", text);
}

std::string markdown_items(const std::vector<std::string>& lines) {
    std::string text = lines.empty() ? "" : "\n";
    for (const std::string& line : lines) {
        text += fmt::format("- {}\n", line);
    }
    return text;
}

std::string markdown_list(const std::string& title, const std::vector<std::string>& lines) {
    return lines.empty() ? std::string() : markdown_title(title) + markdown_items(lines);
}

} // namespace kvprof::analyzers
