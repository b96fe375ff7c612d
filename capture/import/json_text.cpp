#include "capture/import/json_text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

namespace kvprof::import {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::size_t kHexDigits = 4;

unsigned char byte_at(std::string_view text, std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

void append_utf8(std::string& to, std::uint32_t code) {
    const auto put = [&to](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

/// The four digits of "\uXXXX" that begins at i.
std::optional<std::uint32_t> unicode_escape(std::string_view raw, std::size_t i) {
    if (raw.size() < i + 2 + kHexDigits || raw[i] != '\\' || raw[i + 1] != 'u') {
        return std::nullopt;
    }
    std::uint32_t unit = 0;
    const char* const first = raw.data() + i + 2;
    const auto [stop, error] = std::from_chars(first, first + kHexDigits, unit, 16);
    if (error != std::errc{} || stop != first + kHexDigits) {
        return std::nullopt;
    }
    return unit;
}

/// Length of the UTF-8 sequence at i; 0 when there is none, and then `bad` bytes are one mistake.
std::size_t sequence_length(std::string_view raw, std::size_t i, std::size_t& bad) {
    const unsigned char lead = byte_at(raw, i);
    std::size_t length = 0;
    unsigned char least = 0x80;
    unsigned char most = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        least = lead == 0xE0 ? 0xA0 : least; // no longer form of what fits two bytes
        most = lead == 0xED ? 0x9F : most;   // no surrogates
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        least = lead == 0xF0 ? 0x90 : least;
        most = lead == 0xF4 ? 0x8F : most; // not over U+10FFFF
    }
    bad = 1;
    for (; bad < length; ++bad) {
        const unsigned char next = byte_at(raw, i + bad);
        if (next < least || next > most) {
            return 0;
        }
        least = 0x80;
        most = 0xBF;
    }
    return length;
}

class Decoder {
  public:
    explicit Decoder(std::string_view raw)
        : raw_(raw) {
        text_.reserve(raw.size());
    }

    std::string decode(TextDefects& defects) {
        while (at_ < raw_.size()) {
            const unsigned char byte = byte_at(raw_, at_);
            if (byte == '\\') {
                take_escape();
            } else if (byte < 0x80) {
                has_control_ = has_control_ || byte < 0x20;
                text_ += raw_[at_++];
            } else {
                take_sequence();
            }
        }
        defects.invalid_utf8 += is_invalid_ ? 1 : 0;
        defects.control_characters += has_control_ ? 1 : 0;
        defects.unknown_escapes += has_unknown_escape_ ? 1 : 0;
        return std::move(text_);
    }

  private:
    void replace() {
        text_ += kReplacement;
        is_invalid_ = true;
    }

    void take_sequence() {
        std::size_t bad = 0;
        const std::size_t length = sequence_length(raw_, at_, bad);
        if (length == 0) {
            replace();
            at_ += bad;
            return;
        }
        text_ += raw_.substr(at_, length);
        at_ += length;
    }

    void take_escape() {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (const auto unit = unicode_escape(raw_, at_)) {
            at_ += 2 + kHexDigits;
            take_unit(*unit);
            return;
        }
        const auto which = at_ + 1 < raw_.size() ? letters.find(raw_[at_ + 1]) : letters.npos;
        if (which == letters.npos) {
            has_unknown_escape_ = true;
            text_ += raw_[at_++];
            return;
        }
        text_ += meanings[which];
        at_ += 2;
    }

    /// A UTF-16 unit of an escape; half of a pair needs its other half right behind it.
    void take_unit(std::uint32_t unit) {
        constexpr std::uint32_t high = 0xD800;
        constexpr std::uint32_t low = 0xDC00;
        constexpr std::uint32_t beyond = 0xE000;
        if (unit < high || unit >= beyond) {
            append_utf8(text_, unit);
            return;
        }
        const auto next = unit < low ? unicode_escape(raw_, at_) : std::nullopt;
        if (!next || *next < low || *next >= beyond) {
            replace();
            return;
        }
        at_ += 2 + kHexDigits;
        append_utf8(text_, 0x10000 + ((unit - high) << 10) + (*next - low));
    }

    std::string_view raw_;
    std::string text_;
    std::size_t at_ = 0;
    bool is_invalid_ = false;
    bool has_control_ = false;
    bool has_unknown_escape_ = false;
};

} // namespace

std::string decode_json_string(std::string_view raw, TextDefects& defects) {
    return Decoder(raw).decode(defects);
}

} // namespace kvprof::import
