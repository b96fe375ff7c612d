#include "analyzers/kernel_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace kvprof::analyzers {

namespace {

bool is_digit(char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// The text of the bracket that `rest` begins with, brackets left out; all of it when none closes.
std::string_view inside_bracket(std::string_view rest) {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        depth += rest[i] == '(' ? 1 : 0;
        depth -= rest[i] == ')' ? 1 : 0;
        if (depth == 0) {
            return rest.substr(1, i - 1);
        }
    }
    return rest.substr(1);
}

/// Reads a name from its front, and writes what is common to all spellings.
class Spelling {
  public:
    explicit Spelling(std::string_view name)
        : rest_(name) {}

    [[nodiscard]] std::string common() && {
        while (!rest_.empty()) {
            if (!take_lambda() && !take_bracket() && !take_dropped_word() && !take_number()) {
                take(1, rest_.front() != ' ');
            }
        }
        return std::move(common_);
    }

  private:
    void take(std::size_t size, bool is_kept) {
        last_ = rest_[size - 1];
        common_ += is_kept ? rest_.substr(0, size) : std::string_view();
        rest_.remove_prefix(size);
    }

    bool take_lambda() {
        constexpr std::string_view kLambda = "lambda(";
        const bool is_lambda =
            (rest_.front() == '[' || rest_.front() == '{') && rest_.substr(1).starts_with(kLambda);
        if (!is_lambda) {
            return false;
        }
        take(kLambda.size(), false); // up to the bracket of its parameters
        std::string parameters(inside_bracket(rest_));
        take(std::min(parameters.size() + 2, rest_.size()), false);
        std::erase(parameters, ' ');
        const std::size_t end = std::min(rest_.find_first_of("]}"), rest_.size());
        std::string number(rest_.substr(0, end));
        std::erase_if(number, [](char letter) { return !is_digit(letter); });
        common_ += "{lambda(" + parameters + ")#" + number + "}";
        if (!rest_.empty()) {
            take(std::min(end + 1, rest_.size()), false);
        }
        return true;
    }

    /// Casts and parameters say nothing that the name does not; an unnamed namespace has no name.
    bool take_bracket() {
        constexpr std::string_view kUnnamed = "<unnamed>::";
        if (rest_.starts_with(kUnnamed)) {
            take(kUnnamed.size(), false);
            return true;
        }
        if (rest_.front() != '(') {
            return false;
        }
        const std::string_view inside = inside_bracket(rest_);
        take(std::min(inside.size() + 2, rest_.size()), false);
        if (inside == "bool" && (rest_.starts_with('0') || rest_.starts_with('1'))) {
            common_ += rest_.front() == '1' ? "true" : "false";
            take(1, false);
        } else if (inside == "anonymous namespace" && rest_.starts_with("::")) {
            take(2, false);
        }
        return true;
    }

    /// The type that a function returns is written by one of the two alone.
    bool take_dropped_word() {
        constexpr std::string_view kVoid = "void ";
        if (is_word(last_) || !rest_.starts_with(kVoid)) {
            return false;
        }
        take(kVoid.size(), false);
        return true;
    }

    bool take_number() {
        if (is_word(last_) || !is_digit(rest_.front())) {
            return false;
        }
        take(std::min(rest_.find_first_not_of("0123456789"), rest_.size()), true);
        const std::size_t suffix = std::min(rest_.find_first_not_of("uUlL"), rest_.size());
        if (suffix > 0) {
            take(suffix, false);
        }
        return true;
    }

    std::string_view rest_;
    char last_ = ' '; ///< of what was read
    std::string common_;
};

} // namespace

std::string normalised_kernel_name(std::string_view name) {
    return Spelling(name).common();
}

std::string base_kernel_name(std::string_view name) {
    std::string base = normalised_kernel_name(name);
    base.erase(std::min(base.find('<'), base.size()));
    const std::size_t scope = base.rfind("::");
    return scope == std::string::npos ? base : base.substr(scope + 2);
}

} // namespace kvprof::analyzers
