#include "analyzers/day.h"

#include <charconv>
#include <chrono>

namespace kvprof::analyzers {

namespace {

/// Reads a number that fills the text.
template<typename Number>
bool read_number(std::string_view text, Number& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    return failure == std::errc{} && stop == end;
}

} // namespace

bool is_day(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    if (!read_number(text.substr(0, 4), year) || !read_number(text.substr(5, 2), month)
        || !read_number(text.substr(8, 2), day)) {
        return false;
    }
    return year > 0
           && std::chrono::
                  year_month_day{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}}
                      .ok();
}

} // namespace kvprof::analyzers
