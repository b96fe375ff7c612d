#include "report/clean_text.h"

#include "capture/model/plain_text.h"

#include <cstddef>
#include <cstdint>

namespace kvprof::report {

namespace {

constexpr char32_t kReplacement = 0xfffd;

struct Character {
    char32_t code = kReplacement;
    std::size_t bytes = 1;
};

std::uint32_t byte_at(std::string_view text, std::size_t place) {
    return static_cast<unsigned char>(text[place]);
}

/// Whether a code needs `bytes` bytes and is no half of a surrogate pair.
bool is_well_formed(char32_t code, std::size_t bytes) {
    if (code > 0x10ffffU || (code >= 0xd800U && code <= 0xdfffU)) {
        return false;
    }
    return bytes < 3 || code >= (bytes == 3 ? 0x800U : 0x10000U);
}

/// @pre text is not empty
Character first_of(std::string_view text) {
    const std::uint32_t lead = byte_at(text, 0);
    const std::size_t bytes = utf8_length(static_cast<unsigned char>(lead));
    if (bytes == 0 || bytes > text.size()) {
        return {};
    }
    std::uint32_t code = bytes == 1 ? lead : lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint32_t next = byte_at(text, i);
        if ((next & 0xc0U) != 0x80U) {
            return {};
        }
        code = (code << 6U) | (next & 0x3fU);
    }
    return is_well_formed(code, bytes) ? Character{code, bytes} : Character{};
}

bool is_control(char32_t code) {
    return code < 0x20U || (code >= 0x7fU && code < 0xa0U);
}

bool is_blank(char32_t code) {
    return code == ' ' || code == 0xa0U || code == 0x1680U || (code >= 0x2000U && code <= 0x200aU)
           || code == 0x2028U || code == 0x2029U || code == 0x202fU || code == 0x205fU
           || code == 0x3000U;
}

/// The "Char" of XML 1.0.
bool is_xml_char(char32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20U && code < 0xfffeU)
           || code >= 0x10000U;
}

constexpr std::string_view kReplacementBytes = "\xef\xbf\xbd";

/// The text with U+FFFD for bytes that are no character, and for characters that are not kept.
template<typename Keep>
std::string kept(std::string_view text, Keep keep) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character next = first_of(text);
        const bool is_bad = next.code == kReplacement && next.bytes == 1;
        out += is_bad || !keep(next.code) ? kReplacementBytes : text.substr(0, next.bytes);
        text.remove_prefix(next.bytes);
    }
    return out;
}

} // namespace

std::string valid_utf8(std::string_view text) {
    return kept(text, [](char32_t) { return true; });
}

std::string xml_text(std::string_view text) {
    return kept(text, is_xml_char);
}

std::string one_word(std::string_view text, char joint) {
    const std::string valid = valid_utf8(text);
    std::string_view rest = valid;
    std::string word;
    bool is_between = false;
    while (!rest.empty()) {
        const Character next = first_of(rest);
        if (is_control(next.code) || is_blank(next.code)) {
            is_between = !word.empty();
        } else {
            word += is_between ? std::string(1, joint) : std::string();
            word += rest.substr(0, next.bytes);
            is_between = false;
        }
        rest.remove_prefix(next.bytes);
    }
    return word;
}

} // namespace kvprof::report
