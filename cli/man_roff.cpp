#include "cli/man_roff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace kvprof::cli {

namespace {

bool is_ascii(char letter) {
    return static_cast<unsigned char>(letter) < 0x80;
}

/// "\[u00D7]" of a character of UTF-8 that is no ASCII; takes its bytes off `text`.
std::string take_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::size_t count = 1;
    while (count < text.size() && (byte(count) & 0xc0) == 0x80) {
        ++count;
    }
    // A first byte of n bytes carries 7 - n bits.
    std::uint32_t code = byte(0) & (0xffU >> (count + 1));
    for (std::size_t i = 1; i < count; ++i) {
        code = code << 6 | (byte(i) & 0x3fU);
    }
    text.remove_prefix(count);
    return fmt::format("\\[u{:04X}]", code);
}

std::string escaped(std::string_view text, bool is_code) {
    std::string roff;
    bool is_word_start = true;
    while (!text.empty()) {
        const char letter = text.front();
        if (!is_ascii(letter)) {
            roff += take_character(text);
            is_word_start = false;
            continue;
        }
        switch (letter) {
        case '\\': roff += "\\e"; break;
        case '-': roff += is_code || is_word_start ? "\\-" : "-"; break;
        case '\'': roff += is_code ? "\\(aq" : "'"; break;
        case '`': roff += "\\(ga"; break;
        case '^': roff += "\\(ha"; break;
        case '~': roff += "\\(ti"; break;
        default: roff += letter;
        }
        // Of "--samples" and "(-1" both signs are ones that a shell or a reader takes as such.
        is_word_start = letter == ' ' || letter == '(' || (letter == '-' && is_word_start);
        text.remove_prefix(1);
    }
    return roff;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// What stands under a heading.
std::string_view section(std::string_view page, std::string_view heading) {
    const std::size_t at = page.find(fmt::format("\n{}\n", heading));
    if (at == std::string_view::npos) {
        return {};
    }
    page.remove_prefix(at + heading.size() + 2);
    return page;
}

bool is_prose(std::string_view line) {
    return line.find_first_of("#|`-*") != 0 || (line.starts_with("`") && !line.starts_with("```"));
}

} // namespace

std::string roff_text(std::string_view text) {
    return escaped(text, false);
}

std::string roff_code(std::string_view text) {
    return escaped(text, true);
}

std::string bold(std::string_view roff) {
    return fmt::format("\\fB{}\\fP", roff);
}

std::string italic(std::string_view roff) {
    return fmt::format("\\fI{}\\fP", roff);
}

std::string roff_of_markdown(std::string_view text) {
    std::string roff;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("`["), text.size());
        roff += roff_text(text.substr(0, end));
        text.remove_prefix(end);
        if (text.empty()) {
            break;
        }
        const bool is_code = text.front() == '`';
        const std::size_t close = text.find(is_code ? "`" : "](", 1);
        const std::size_t after = is_code ? close : text.find(')', close);
        if (close == std::string_view::npos || after == std::string_view::npos) {
            roff += roff_text(text.substr(0, 1)); // a bracket of the prose
            text.remove_prefix(1);
            continue;
        }
        const std::string_view inner = text.substr(1, close - 1);
        roff += is_code ? bold(roff_code(inner)) : roff_text(inner);
        text.remove_prefix(after + 1);
    }
    return roff;
}

std::string roff_line(std::string_view roff) {
    const bool is_request = roff.starts_with('.') || roff.starts_with('\'');
    return fmt::format("{}{}\n", is_request ? "\\&" : "", roff);
}

std::vector<std::string> first_paragraphs(std::string_view page, std::string_view heading) {
    std::vector<std::string> paragraphs;
    bool is_open = false;
    for (std::string_view rest = section(page, heading); !rest.empty();) {
        const std::string_view line = take_line(rest);
        if (line.empty()) {
            is_open = false;
        } else if (!is_prose(line)) {
            break;
        } else if (is_open) {
            paragraphs.back().append(" ").append(line);
        } else {
            paragraphs.emplace_back(line);
            is_open = true;
        }
    }
    return paragraphs;
}

std::vector<std::vector<std::string>> first_table(std::string_view page, std::string_view heading) {
    std::vector<std::vector<std::string>> rows;
    bool is_in_table = false;
    for (std::string_view rest = section(page, heading); !rest.empty();) {
        std::string_view line = take_line(rest);
        if (!line.starts_with('|')) {
            if (is_in_table || line.starts_with('#')) {
                break;
            }
            continue;
        }
        is_in_table = true;
        std::vector<std::string>& cells = rows.emplace_back();
        line.remove_prefix(1);
        for (std::size_t end = line.find('|'); end != line.npos; end = line.find('|')) {
            const std::string_view cell = line.substr(0, end);
            const std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
            cells.emplace_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
            line.remove_prefix(end + 1);
        }
    }
    rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
    return rows;
}

} // namespace kvprof::cli
