#include "report/renderers.h"
#include "report/text_table.h"
#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::report {

namespace {

using analyzers::Section;

/// The line after `indent`, broken at blanks where it would be over kLineWidth; what follows is
/// indented by two more.
std::string broken(std::string_view line, const std::string& indent) {
    std::string text;
    std::string rest = indent + one_line(line);
    while (characters(rest) > kLineWidth) {
        const std::size_t blank = start_of(rest, kLineWidth + 1).rfind(' ');
        if (blank == std::string::npos || rest.find_first_not_of(' ') > blank) {
            break; // one word, longer than a line
        }
        text += rest.substr(0, blank) + "\n";
        rest = indent + "  " + rest.substr(blank + 1);
    }
    return text + rest + "\n";
}

/// An empty line, the title, the table and the lines, indented; nothing for an empty section.
std::string section_text(const Section& section, const std::string& part_title = {}) {
    if (section.empty()) {
        return {};
    }
    const std::string& title = section.title.empty() ? part_title : section.title;
    std::string text = "\n" + (title.empty() ? std::string() : broken(title, ""));
    if (section.table && !section.table->empty()) {
        text += text_table(*section.table, "  ");
    }
    for (const std::string& line : section.lines) {
        text += broken(line, "  ");
    }
    return text;
}

/// Sections have their own titles: that of the part stands over a first one without.
std::string part_text(const Part& part) {
    std::string text;
    for (const Section& section : part.sections) {
        text += section_text(section, text.empty() ? part.title : std::string());
    }
    return text;
}

} // namespace

std::string text(const Document& document) {
    std::string text = one_line(document.title) + "\n";
    if (!document.verdict.empty()) {
        text += fmt::format("{}: {}\n", document.judge, one_line(document.verdict));
    }
    for (const std::string& reason : document.reasons) {
        text += broken(reason, "  ");
    }
    for (const std::string& sentence : document.lead) {
        text += broken(sentence, "");
    }
    for (const Part& part : document.parts) {
        text += part_text(part);
    }
    return text + section_text({"not measured", std::nullopt, document.not_measured});
}

std::string text(const analyzers::Table& table) {
    return text_table(table);
}

} // namespace kvprof::report
