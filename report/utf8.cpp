#include "report/utf8.h"

#include "report/clean_text.h"

#include <algorithm>

namespace kvprof::report {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // U+FFFD

bool is_continuation(char letter) {
    return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

/// C0, DEL and C1: what a terminal may obey.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 2) {
        return first == 0xc2U && static_cast<unsigned char>(character[1]) < 0xa0U;
    }
    return character.size() == 1 && (first < 0x20U || first == 0x7fU);
}

} // namespace

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char letter) {
        return !is_continuation(letter);
    }));
}

std::string one_line(std::string_view text) {
    const std::string valid = valid_utf8(text);
    std::string line;
    for (std::size_t at = 0; at < valid.size();) {
        std::size_t end = at + 1;
        while (end < valid.size() && is_continuation(valid[end])) {
            ++end;
        }
        const std::string_view character = std::string_view(valid).substr(at, end - at);
        const bool is_half_break = character == "\r" && end < valid.size() && valid[end] == '\n';
        if (character == "\n" || character == "\r" || character == "\t") {
            line += is_half_break ? "" : " ";
        } else {
            line += is_control(character) ? kReplacement : character;
        }
        at = end;
    }
    return line;
}

std::string start_of(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t count = 0; end < text.size(); ++end) {
        count += is_continuation(text[end]) ? 0U : 1U;
        if (count > most) {
            break;
        }
    }
    return std::string(text.substr(0, end));
}

std::string elided(std::string_view text, std::size_t width) {
    constexpr std::string_view kGap = "...";
    const std::size_t all = characters(text);
    if (all <= width) {
        return std::string(text);
    }
    const std::size_t kept = width - std::min(width, kGap.size());
    const std::string before_tail = start_of(text, all - kept / 2);
    return start_of(text, kept - kept / 2) + std::string(kGap)
           + std::string(text.substr(before_tail.size()));
}

} // namespace kvprof::report
