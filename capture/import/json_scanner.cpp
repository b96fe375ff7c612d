#include "capture/import/json_scanner.h"

#include "capture/import/decimal_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace kvprof::import {

namespace {

enum ByteClass : unsigned char { kNone = 0, kOfNumber = 1, kOfWord = 2 };

constexpr auto kByteClasses = [] {
    std::array<unsigned char, 256> classes{};
    for (const char byte : std::string_view("0123456789+-.eE")) {
        classes.at(static_cast<unsigned char>(byte)) = kOfNumber;
    }
    for (const char byte :
         std::string_view("ABCDFGHIJKLMNOPQRSTUVWXYZabcdfghijklmnopqrstuvwxyz/()_")) {
        classes.at(static_cast<unsigned char>(byte)) = kOfWord;
    }
    return classes;
}();

unsigned char class_of(char byte) {
    return kByteClasses[static_cast<unsigned char>(byte)];
}

/// Behind the blanks that mostly stand between two tokens: none or one. Branches are foreseen, and
/// what comes next need not wait for a search.
const char* skip_usual_blanks(const char* from) {
    if (static_cast<unsigned char>(*from) > ' ') {
        return from;
    }
    if (*from == ' ' && static_cast<unsigned char>(from[1]) > ' ') {
        return from + 1;
    }
    return search::skip_blanks(from);
}

/// Behind a string; null where there is none that stands whole in the window.
const char* skip_whole_string(const char* from) {
    if (*from != '"') {
        return nullptr;
    }
    const char* const stop = search::find_string_stop(from + 1).at;
    return *stop == '"' ? stop + 1 : nullptr;
}

/// As skip_whole_string, of a string or a number.
const char* skip_whole_value(const char* from) {
    if (*from == '"') {
        return skip_whole_string(from);
    }
    const bool begins_number = *from == '-' || (*from >= '0' && *from <= '9');
    unsigned char classes = kNone;
    for (; class_of(*from) != kNone; ++from) {
        classes |= class_of(*from);
    }
    return begins_number && classes == kOfNumber && *from != '\0' ? from : nullptr;
}

bool is_word(std::string_view text) {
    return text == "true" || text == "false" || text == "null" || is_word_for_no_number(text);
}

} // namespace

JsonError::JsonError(Kind kind, std::uint64_t offset, const std::string& what)
    : std::runtime_error(what),
      kind_(kind),
      offset_(offset) {}

JsonScanner::JsonScanner(ByteSource& source, std::size_t window_bytes)
    : source_(source),
      buffer_(window_bytes + kSentinelBytes),
      capacity_(window_bytes),
      at_(buffer_.data()),
      end_(buffer_.data()) {}

void JsonScanner::fail(std::string_view expected) {
    if (at_ == end_) {
        throw JsonError(
            JsonError::Kind::ends_early, offset(), fmt::format("it ends before {}", expected)
        );
    }
    const auto byte = static_cast<unsigned char>(*at_);
    const bool is_visible = byte > ' ' && byte < 0x7F;
    throw JsonError(
        JsonError::Kind::invalid,
        offset(),
        is_visible
            ? fmt::format("it is no JSON: '{}' where {} should stand", *at_, expected)
            : fmt::format("it is no JSON: byte {:#04x} where {} should stand", byte, expected)
    );
}

void JsonScanner::make_room() {
    const char* const keep = is_held_ ? hold_ : at_;
    const auto kept = static_cast<std::size_t>(end_ - keep);
    const std::ptrdiff_t at = at_ - keep;
    base_ += static_cast<std::uint64_t>(keep - buffer_.data());
    std::memmove(buffer_.data(), keep, kept);
    if (kept > capacity_ / 2) {
        if (kept >= kMostBytes) {
            throw JsonError(
                JsonError::Kind::too_long,
                base_,
                fmt::format("a value has over {} MiB", kMostBytes >> 20)
            );
        }
        capacity_ = std::min(capacity_ * 2, kMostBytes);
        buffer_.resize(capacity_ + kSentinelBytes);
    }
    hold_ = buffer_.data();
    at_ = buffer_.data() + at;
    end_ = buffer_.data() + kept;
}

bool JsonScanner::refill() {
    make_room();
    const auto used = static_cast<std::size_t>(end_ - buffer_.data());
    const std::size_t got = source_.read(std::span(buffer_.data() + used, capacity_ - used));
    end_ += got;
    std::memset(buffer_.data() + used + got, 0, kSentinelBytes);
    return got > 0;
}

char JsonScanner::peek_behind_blanks() {
    while (true) {
        at_ = search::skip_blanks(at_);
        if (*at_ != '\0' || at_ != end_) {
            return *at_;
        }
        if (!refill()) {
            return '\0';
        }
    }
}

bool JsonScanner::skip_start(std::string_view bytes) {
    while (static_cast<std::size_t>(end_ - at_) < bytes.size() && refill()) {
    }
    const std::string_view left(at_, static_cast<std::size_t>(end_ - at_));
    if (!left.starts_with(bytes)) {
        return false;
    }
    at_ += bytes.size();
    return true;
}

void JsonScanner::enter(bool is_object) {
    if (depth_ == kMostDepth) {
        throw JsonError(
            JsonError::Kind::too_deep, offset(), fmt::format("it nests over {} deep", kMostDepth)
        );
    }
    is_object_[depth_++] = is_object;
}

bool JsonScanner::open(char bracket) {
    expect(bracket, bracket == '{' ? "'{'" : "'['");
    enter(bracket == '{');
    if (peek() == (bracket == '{' ? '}' : ']')) {
        ++at_;
        --depth_;
        return false;
    }
    return true;
}

bool JsonScanner::next(char closing) {
    char byte = peek();
    if (byte == ',') {
        ++at_;
        byte = peek();
        if (byte != closing) {
            return true;
        }
        ++trailing_commas_;
    }
    if (byte != closing) {
        fail(closing == '}' ? "',' or '}'" : "',' or ']'");
    }
    ++at_;
    --depth_;
    return false;
}

void JsonScanner::expect(char byte, std::string_view what) {
    if (peek() != byte) {
        fail(what);
    }
    ++at_;
}

bool JsonScanner::read_string_body() {
    bool is_plain = true;
    const char* from = at_;
    while (true) {
        const StringStop stop = search::find_string_stop(from);
        is_plain = is_plain && stop.is_plain;
        if (*stop.at == '"') {
            at_ = stop.at + 1;
            return is_plain;
        }
        const bool is_escape = *stop.at == '\\';
        if (stop.at + (is_escape ? 1 : 0) == end_) {
            at_ = stop.at;
            if (!refill()) {
                at_ = end_;
                fail("the end of a string");
            }
            from = at_;
            continue;
        }
        is_plain = false;
        from = stop.at + (is_escape ? 2 : 1);
    }
}

JsonToken JsonScanner::read_string() {
    expect('"', "a name in quotes");
    JsonToken token{
        .kind = JsonToken::Kind::string, .begin = static_cast<std::uint32_t>(at_ - hold_)};
    token.is_plain = read_string_body();
    token.size = static_cast<std::uint32_t>(at_ - 1 - hold_) - token.begin;
    return token;
}

JsonToken JsonScanner::read_scalar() {
    unsigned char classes = kNone;
    std::size_t size = 0;
    while (true) {
        for (; class_of(at_[size]) != kNone; ++size) {
            classes |= class_of(at_[size]);
        }
        if (at_ + size != end_ || !refill()) {
            break;
        }
    }
    const std::string_view text(at_, size);
    const bool is_number = classes == kOfNumber && (*at_ == '-' || (*at_ >= '0' && *at_ <= '9'));
    if (!is_number && !is_word(text)) {
        if (at_ + size == end_) {
            at_ = end_;
        }
        fail("a value");
    }
    JsonToken token{
        .kind = JsonToken::Kind::scalar,
        .begin = is_held_ ? static_cast<std::uint32_t>(at_ - hold_) : 0,
        .size = static_cast<std::uint32_t>(size)};
    at_ += size;
    return token;
}

JsonToken JsonScanner::read_key() {
    const JsonToken key = read_string();
    expect(':', "':'");
    return key;
}

JsonToken JsonScanner::read_value() {
    const char byte = peek();
    if (byte == '"') {
        return read_string();
    }
    if (byte == '{' || byte == '[') {
        skip_value();
        return {.kind = JsonToken::Kind::container};
    }
    return read_scalar();
}

void JsonScanner::skip_key() {
    expect('"', "a name in quotes");
    read_string_body();
    expect(':', "':'");
}

/// @returns whether a container was opened, whose first value comes next
bool JsonScanner::begin_value() {
    const char byte = peek();
    if (byte == '"') {
        ++at_;
        read_string_body();
        return false;
    }
    if (byte != '{' && byte != '[') {
        read_scalar();
        return false;
    }
    if (!open(byte)) {
        return false;
    }
    if (byte == '{') {
        skip_key();
    }
    return true;
}

/// Skips members after a value, as long as they are simple and stand whole in the window.
void JsonScanner::skip_simple_members() {
    const char* at = at_;
    while (at != nullptr) {
        at_ = at;
        at = skip_usual_blanks(at);
        at = *at == ',' ? skip_whole_string(skip_usual_blanks(at + 1)) : nullptr;
        if (at != nullptr) {
            at = *at == ':' ? skip_whole_value(skip_usual_blanks(at + 1)) : nullptr;
        }
    }
}

void JsonScanner::skip_until(std::size_t depth, bool wants_value) {
    while (depth_ > depth) {
        if (wants_value && begin_value()) {
            continue;
        }
        const bool is_object = is_object_[depth_ - 1];
        if (is_object) {
            skip_simple_members();
        }
        wants_value = next(is_object ? '}' : ']');
        if (wants_value && is_object) {
            skip_key();
        }
    }
}

void JsonScanner::skip_value() {
    const std::size_t depth = depth_;
    if (begin_value()) {
        skip_until(depth, true);
    }
}

void JsonScanner::skip_rest_of_object() {
    skip_until(depth_ - 1, false);
}

bool JsonScanner::resynchronise() {
    is_held_ = false;
    while (true) {
        const void* const found = std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_));
        if (found == nullptr) {
            at_ = end_;
            if (!refill()) {
                return false;
            }
            continue;
        }
        at_ = static_cast<const char*>(found) + 1;
        if (peek() != ',') {
            continue;
        }
        ++at_;
        if (peek() == '{') {
            depth_ = list_depth_;
            return true;
        }
    }
}

} // namespace kvprof::import
