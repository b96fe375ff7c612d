#include "analyzers/markdown_blocks.h"

#include <fmt/format.h>

#include <cctype>

namespace kvprof::analyzers {

namespace {

/// Names are input: none may open a tag in the summary.
std::string html_text(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        escaped += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
    }
    return escaped;
}

} // namespace

std::string capitalised(std::string text) {
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return text;
}

std::string markdown_title(const std::string& title) {
    return fmt::format("\n**{}**\n", capitalised(title));
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

std::string section_markdown(const Section& section) {
    if (section.empty()) {
        return {};
    }
    std::string text = section.title.empty() ? std::string() : markdown_title(section.title);
    if (section.table && !section.table->empty()) {
        text += "\n" + section.table->markdown();
    }
    return text + markdown_items(section.lines);
}

std::string details_markdown(const std::string& summary, const std::vector<Section>& sections) {
    std::string body;
    for (const Section& section : sections) {
        body += section_markdown(section);
    }
    // Without the blank lines GitHub shows a table inside as text.
    return body.empty()
               ? std::string()
               : fmt::format(
                   "\n<details><summary>{}</summary>\n{}\n</details>\n", html_text(summary), body
               );
}

} // namespace kvprof::analyzers
