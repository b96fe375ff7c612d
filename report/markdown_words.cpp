#include "report/markdown_words.h"

#include "report/utf8.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace kvprof::report {

namespace {

/// GitHub tells a person who is mentioned; a comment of nothing keeps the name from being one.
constexpr std::string_view kAt = "@<!-- -->";

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

char letter_at(std::string_view text, std::size_t at) {
    return at < text.size() ? text[at] : '\0';
}

char letter_before(std::string_view text, std::size_t at) {
    return at == 0 ? '\0' : text[at - 1];
}

/// Digits and then "." or ")" begin an ordered list.
bool ends_ordinal(std::string_view text, std::size_t at) {
    return at > 0 && (text[at] == '.' || text[at] == ')')
           && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), [](char c) {
                  return std::isdigit(static_cast<unsigned char>(c)) != 0;
              });
}

/// Whether the letter would begin a heading, quotation, list, rule, task or definition of a link.
bool begins_block(std::string_view text, std::size_t at) {
    const char letter = text[at];
    if (at > 0) {
        return ends_ordinal(text, at);
    }
    const bool is_bullet = letter == '-' || letter == '+';
    const char next = letter_at(text, 1);
    return letter == '#' || letter == '>' || letter == '[' || letter == '=' || letter == ':'
           || (is_bullet && (next == ' ' || next == '\0' || next == letter));
}

bool is_escaped(std::string_view text, std::size_t at, Place place) {
    switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '<':
    case '&':
    case '~': return true;
    case '|': return place == Place::cell;
    // Between letters it is one.
    case '_': return !is_word(letter_before(text, at)) || !is_word(letter_at(text, at + 1));
    case ']': {
        const char next = letter_at(text, at + 1);
        return next == '(' || next == '[' || next == ':';
    }
    default: return place == Place::block && begins_block(text, at);
    }
}

bool is_mention(std::string_view text, std::size_t at) {
    return text[at] == '@' && !is_word(letter_before(text, at)) && is_word(letter_at(text, at + 1));
}

/// Blanks at its ends would be lost or, four in front, make it code.
std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::size_t longest_fence(std::string_view name) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char letter : name) {
        run = letter == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

/// All that has a meaning in Markdown, HTML or a table as a reference to its character.
std::string code_element(std::string_view name) {
    std::string text = "<code>";
    for (const char letter : name) {
        const bool is_plain =
            is_word(letter) || letter == ' ' || static_cast<unsigned char>(letter) >= 0x80U;
        text += is_plain ? std::string(1, letter)
                         : "&#" + std::to_string(static_cast<int>(letter)) + ";";
    }
    return text + "</code>";
}

} // namespace

std::string markdown_text(std::string_view words, Place place) {
    const std::string line = one_line(words);
    const std::string_view text = trimmed(line);
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_mention(text, i)) {
            escaped += kAt;
            continue;
        }
        escaped += is_escaped(text, i, place) ? "\\" : "";
        escaped += text[i];
    }
    return escaped;
}

std::string markdown_code(std::string_view name, bool is_in_cell) {
    std::string text = one_line(name);
    if (text.empty()) {
        return {};
    }
    // A table takes one backslash before a bar for itself, and readers differ about two.
    if (is_in_cell && text.find("\\|") != std::string::npos) {
        return code_element(text);
    }
    const std::string fence(longest_fence(text) + 1, '`');
    const auto is_edge = [](char letter) { return letter == '`' || letter == ' '; };
    const std::string pad(is_edge(text.front()) || is_edge(text.back()) ? " " : "");
    if (is_in_cell) {
        for (std::size_t at = text.find('|'); at != std::string::npos;
             at = text.find('|', at + 2)) {
            text.insert(at, "\\");
        }
    }
    return fence + pad + text + pad + fence;
}

std::string markdown_cell(const analyzers::Cell& cell) {
    return cell.is_code ? markdown_code(cell.text, true) : markdown_text(cell.text, Place::cell);
}

std::string summary_text(std::string_view words) {
    const std::string text = one_line(words);
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '&': escaped += "&amp;"; break;
        default: escaped += is_mention(text, i) ? std::string(kAt) : std::string(1, text[i]);
        }
    }
    return escaped;
}

std::string capitalised(std::string_view words) {
    std::string text(words);
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return text;
}

std::string sentence(std::string_view words) {
    const bool is_ended =
        words.empty() || std::string_view(".!?:").find(words.back()) != std::string_view::npos;
    return std::string(words) + (is_ended ? "" : ".");
}

} // namespace kvprof::report
