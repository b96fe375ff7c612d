#include "capture/workload/backend.h"

#include <charconv>
#include <utility>

namespace kvprof::workload {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string_view::npos
               ? std::string_view{}
               : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template<typename Each>
void split(std::string_view text, char at, const Each& each) {
    for (bool more = true; more;) {
        const auto end = text.find(at);
        more = end != std::string_view::npos;
        each(trimmed(text.substr(0, end)));
        text.remove_prefix(more ? end + 1 : text.size());
    }
}

/// Takes a number or a symbol into the product.
bool take_factor(std::string_view factor, ByteFormula::Term& term) {
    constexpr std::int64_t kMost = 1 << 20;
    std::int64_t number = 0;
    const char* const end = factor.data() + factor.size();
    const auto read = std::from_chars(factor.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end) {
        const bool is_small = number > 0 && number < kMost && term.factor < kMost;
        term.factor *= is_small ? number : 1;
        return is_small;
    }
    const auto symbol = parse_enum<SizeSymbol>(factor);
    if (symbol) {
        term.symbols.push_back(*symbol);
    }
    return symbol.has_value();
}

} // namespace

std::optional<ByteFormula> parse_formula(const std::string& text) {
    ByteFormula formula{.text = text, .terms = {}};
    bool is_valid = true;
    split(text, '+', [&](std::string_view product) {
        ByteFormula::Term term;
        split(product, '*', [&](std::string_view factor) {
            is_valid = take_factor(factor, term) && is_valid;
        });
        formula.terms.push_back(std::move(term));
    });
    return is_valid ? std::optional(formula) : std::nullopt;
}

} // namespace kvprof::workload
