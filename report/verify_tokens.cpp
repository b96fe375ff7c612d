#include "report/verify_tokens.h"

#include "report/utf8.h"

#include <algorithm>
#include <array>

namespace kvprof::report {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool has_digit(std::string_view word) {
    return std::any_of(word.begin(), word.end(), is_digit);
}

/// Whether a comma stands before thousands: three digits follow, and no fourth.
bool is_before_thousands(std::string_view text, std::size_t at) {
    constexpr std::size_t kGroup = 3;
    std::size_t end = at + 1;
    while (end < text.size() && is_digit(text[end])) {
        ++end;
    }
    return at > 0 && is_digit(text[at - 1]) && end - at - 1 == kGroup;
}

/// Whether a word ends here.
bool is_separator(std::string_view text, std::size_t at) {
    constexpr std::string_view kSeparators = " \t\r\n|[](){};\"'`<>=*";
    return text[at] == ',' ? !is_before_thousands(text, at)
                           : kSeparators.find(text[at]) != std::string_view::npos;
}

/// Without the marks of a sentence, or of JSON, around it.
std::string_view without_marks(std::string_view word) {
    constexpr std::string_view kMarks = ".:,!?";
    while (!word.empty() && kMarks.find(word.back()) != std::string_view::npos) {
        word.remove_suffix(1);
    }
    while (!word.empty() && word.front() == ':') {
        word.remove_prefix(1);
    }
    return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && !is_separator(text, at)) {
            continue;
        }
        const std::string_view word = without_marks(text.substr(start, at - start));
        if (!word.empty()) {
            words.push_back(word);
        }
        start = at + 1;
    }
    return words;
}

/// Units, signs that stand alone, and the words of verdicts.
constexpr std::array<std::string_view, 30> kTelling{"ns",        "us",          "ms",
                                                    "s",         "B",           "KiB",
                                                    "MiB",       "GiB",         "%",
                                                    "MHz",       "W",           "x",
                                                    "+",         "-",           "+-",
                                                    "bytes",     "count",       "ratio",
                                                    "seconds",   "nanoseconds", "improved",
                                                    "regressed", "same",        "inconclusive",
                                                    "not",       "comparable",  "contradicted",
                                                    "supported", "cannot",      "within"};

bool is_telling(std::string_view word) {
    return has_digit(word) || std::find(kTelling.begin(), kTelling.end(), word) != kTelling.end();
}

bool is_number(std::string_view word) {
    constexpr std::string_view kParts = "0123456789.,+-eE%";
    return has_digit(word) && word.find_first_not_of(kParts) == std::string_view::npos
           && word.front() != 'e' && word.front() != 'E';
}

} // namespace

std::vector<std::string> figures_of(std::string_view text) {
    std::vector<std::string> figures;
    std::string_view before;
    for (const std::string_view word : words_of(text)) {
        const bool is_version =
            (before == "kvprof" || before == "version") && is_digit(word.front());
        if (!is_version && is_telling(word)) {
            figures.emplace_back(word);
        }
        before = word;
    }
    return figures;
}

std::size_t count_numbers(std::string_view text) {
    const std::vector<std::string> figures = figures_of(text);
    return static_cast<std::size_t>(std::count_if(figures.begin(), figures.end(), is_number));
}

std::string excerpt(std::string_view text, std::string_view other) {
    constexpr std::size_t kMost = 100;
    constexpr std::size_t kBefore = 30;
    if (text.size() <= kMost) {
        return one_line(text);
    }
    const auto [end, ignored] = std::mismatch(
        text.begin(),
        text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), other.size())),
        other.begin()
    );
    const auto differs = static_cast<std::size_t>(end - text.begin());
    std::size_t from = differs - std::min(differs, kBefore);
    while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) {
        --from; // not inside a character
    }
    std::string_view part = text.substr(from, kMost);
    std::string words = (from > 0 ? "..." : "") + one_line(part);
    return from + part.size() < text.size() ? words + "..." : words;
}

} // namespace kvprof::report
