#pragma once

#include "capture/import/byte_search.h"
#include "capture/import/byte_source.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// The text can not be read on as JSON.
class JsonError final : public std::runtime_error {
  public:
    enum class Kind : std::uint8_t { ends_early, invalid, too_deep, too_long };

    JsonError(Kind kind, std::uint64_t offset, const std::string& what);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }

    /// Bytes of (inflated) text before the place.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

  private:
    Kind kind_;
    std::uint64_t offset_;
};

/// A value, read: its place in what is held.
struct JsonToken {
    enum class Kind : std::uint8_t { absent, string, scalar, container };

    Kind kind = Kind::absent;
    bool is_plain = true; ///< of a string: it stands for itself
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

/// Reads JSON token by token through a window, so that memory does not grow with the file. Takes
/// what profile writers get wrong: NaN and N/A as scalars, and commas before a closing bracket.
///
///     for (bool more = json.open('{'); more; more = json.next('}')) {
///         const JsonToken key = json.read_key();
///         json.skip_value();
///     }
class JsonScanner {
  public:
    static constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20; ///< of a value that is held
    static constexpr std::size_t kMostDepth = 512;

    /// The source must outlive the scanner.
    explicit JsonScanner(ByteSource& source, std::size_t window_bytes = kWindowBytes);

    /// The next character that is no blank, unread; 0 at the end.
    [[nodiscard]] char peek() {
        // Most blanks stand alone. At the end a 0 stands, so that one more byte is there to look
        // at. A branch, since it is foreseen, and a sum would have to be waited for.
        if (*at_ == ' ') [[likely]] {
            ++at_;
        }
        return static_cast<unsigned char>(*at_) > ' ' ? *at_ : peek_behind_blanks();
    }

    [[nodiscard]] bool at_end() { return peek() == '\0' && at_ == end_; }

    /// Skips the bytes if they come next, blanks counted. @returns whether they did
    bool skip_start(std::string_view bytes);

    /// Reads the opening bracket. @returns whether a member or element follows
    [[nodiscard]] bool open(char bracket);
    /// Reads a comma or the closing bracket. @returns whether a member or element follows
    [[nodiscard]] bool next(char closing);

    /// Reads a member's name and its colon.
    JsonToken read_key();
    /// Reads a value of any kind; of a container, only that it was one.
    JsonToken read_value();
    void skip_value();
    /// Skips the members that are left of the innermost object, after a value, and its bracket.
    void skip_rest_of_object();

    /// What is read from here on stays in the window, for text(), until the next hold or release.
    void hold() noexcept {
        is_held_ = true;
        hold_ = at_;
    }

    void release() noexcept { is_held_ = false; }

    /// A token that was read since hold(). A string is without quotes and not decoded.
    /// Good until the next read.
    [[nodiscard]] std::string_view text(const JsonToken& token) const noexcept {
        return {hold_ + token.begin, token.size};
    }

    /// The list that was just opened is the one that resynchronise() goes on with.
    void mark_list() noexcept { list_depth_ = depth_; }

    /// Goes to the next object of the list, the `{` of "}, {", after an error. @returns whether
    /// there is one
    [[nodiscard]] bool resynchronise();

    [[nodiscard]] std::uint64_t offset() const noexcept {
        return base_ + static_cast<std::uint64_t>(at_ - buffer_.data());
    }

    [[nodiscard]] std::int64_t trailing_commas() const noexcept { return trailing_commas_; }

    /// @throws JsonError: what was expected is not what comes next
    [[noreturn]] void fail(std::string_view expected);

  private:
    [[nodiscard]] char peek_behind_blanks();
    [[nodiscard]] bool refill();
    void make_room();
    void expect(char byte, std::string_view what);
    void enter(bool is_object);
    bool read_string_body();
    JsonToken read_string();
    JsonToken read_scalar();
    void skip_key();
    bool begin_value();
    void skip_simple_members();
    void skip_until(std::size_t depth, bool wants_value);

    ByteSource& source_;
    std::vector<char> buffer_;
    std::size_t capacity_; ///< of the buffer, without its sentinel
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    const char* hold_ = nullptr;
    std::uint64_t base_ = 0; ///< offset of the buffer's first byte
    bool is_held_ = false;
    std::size_t depth_ = 0;
    std::size_t list_depth_ = 0; ///< of the list whose objects resynchronise() looks for
    std::bitset<kMostDepth> is_object_;
    std::int64_t trailing_commas_ = 0;
};

} // namespace kvprof::import
