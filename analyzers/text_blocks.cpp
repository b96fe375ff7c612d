#include "analyzers/text_blocks.h"

namespace kvprof::analyzers {

std::string indented(const std::string& line) {
    std::string text;
    std::string rest = "  " + line;
    while (rest.size() > Table::kLineWidth) {
        const std::size_t blank = rest.rfind(' ', Table::kLineWidth);
        if (blank == std::string::npos || rest.find_first_not_of(' ') > blank) {
            break; // one word, longer than a line
        }
        text += rest.substr(0, blank) + "\n";
        rest = "    " + rest.substr(blank + 1);
    }
    return text + rest + "\n";
}

std::string text_block(const std::string& title, const std::vector<std::string>& lines) {
    return section_text({title, std::nullopt, lines});
}

std::string section_text(const Section& section) {
    if (section.empty()) {
        return {};
    }
    std::string text = section.title.empty() ? "\n" : "\n" + section.title + "\n";
    if (section.table && !section.table->empty()) {
        text += section.table->text("  ");
    }
    for (const std::string& line : section.lines) {
        text += indented(line);
    }
    return text;
}

std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t width) {
    std::vector<std::string> lines;
    for (const std::string& word : words) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
    }
    return lines;
}

} // namespace kvprof::analyzers
