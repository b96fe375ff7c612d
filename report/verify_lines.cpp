#include "report/verify_leaves.h"
#include "report/verify_place.h"
#include "report/verify_tokens.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kvprof::report {

namespace {

/// Without the blanks at their ends, and without empty lines at the end.
Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        lines.push_back(line.substr(0, line.find_last_not_of(" \t\r") + 1));
    }
    while (!lines.empty() && lines.back().empty()) {
        lines.pop_back();
    }
    return lines;
}

/// The next lines of both texts that differ.
struct Gap {
    std::size_t reported = 0;
    std::size_t derived = 0;
};

constexpr std::size_t kLookAhead = 300;

/// Where both texts go on alike behind a difference: so many lines of the one, or of the other,
/// stand there alone. Nothing when that is nowhere near: the lines then stand for each other.
Gap gap_at(const Lines& reported, const Lines& derived, Gap at) {
    const auto is_alike = [&](std::size_t i, std::size_t j) {
        return i < reported.size() && j < derived.size() && reported[i] == derived[j];
    };
    // Empty lines are alike everywhere: there the next ones have to be so, too.
    const auto fits = [&](std::size_t i, std::size_t j) {
        return is_alike(i, j) && (!derived[j].empty() || is_alike(i + 1, j + 1));
    };
    for (std::size_t ahead = 1; ahead < kLookAhead; ++ahead) {
        if (fits(at.reported + ahead, at.derived + ahead)) {
            return {};
        }
        if (fits(at.reported, at.derived + ahead)) {
            return {0, ahead};
        }
        if (fits(at.reported + ahead, at.derived)) {
            return {ahead, 0};
        }
    }
    return {};
}

/// Walks both texts and keeps the first figure that differs, else the first word.
class LineComparison {
  public:
    LineComparison(const Lines& reported, const Lines& derived, Format format)
        : reported_(&reported),
          derived_(&derived),
          format_(format) {}

    Verification run() {
        Gap at;
        while (!is_done_ && (at.reported < reported_->size() || at.derived < derived_->size())) {
            at = step(at);
        }
        return std::move(found_);
    }

  private:
    Gap step(Gap at) {
        const bool is_short = at.reported >= reported_->size();
        if (is_short || at.derived >= derived_->size()) {
            alone(at, is_short);
            return is_short ? Gap{at.reported, at.derived + 1} : Gap{at.reported + 1, at.derived};
        }
        if ((*reported_)[at.reported] == (*derived_)[at.derived]) {
            found_.figures += count_numbers((*derived_)[at.derived]);
            return {at.reported + 1, at.derived + 1};
        }
        const Gap gap = gap_at(*reported_, *derived_, at);
        if (gap.reported == 0 && gap.derived == 0) {
            differing(at);
            return {at.reported + 1, at.derived + 1};
        }
        alone(at, gap.derived > 0);
        return {at.reported + (gap.reported > 0 ? 1 : 0), at.derived + (gap.derived > 0 ? 1 : 0)};
    }

    /// One line that only one of the texts has.
    void alone(Gap at, bool is_missing) {
        const std::string_view line =
            is_missing ? (*derived_)[at.derived] : (*reported_)[at.reported];
        const Place place = is_missing ? place_in(*derived_, at.derived, format_)
                                       : place_in(*reported_, at.reported, format_);
        Difference difference;
        difference.where = place_words(at.reported + 1, place, {});
        difference.reported = is_missing ? "(no such line)" : excerpt(line, {});
        difference.derived = is_missing ? excerpt(line, {}) : "(no such line)";
        difference.is_figure = !figures_of(line).empty();
        keep(std::move(difference));
    }

    void differing(Gap at) {
        const std::string_view one = (*reported_)[at.reported];
        const std::string_view other = (*derived_)[at.derived];
        const Place place = place_in(*derived_, at.derived, format_);
        const Place shown = place_in(*reported_, at.reported, format_);
        Difference difference;
        difference.is_figure = figures_of(one) != figures_of(other);
        difference.reported = excerpt(one, other);
        difference.derived = excerpt(other, one);
        std::string column;
        if (const auto cell = differing_cell(shown, place, difference.is_figure)) {
            column = column_title(place, *cell);
            difference.reported = excerpt(shown.cells[*cell].text, place.cells[*cell].text);
            difference.derived = excerpt(place.cells[*cell].text, shown.cells[*cell].text);
        }
        difference.where = place_words(at.reported + 1, place, column);
        keep(std::move(difference));
    }

    /// The first cell whose figures differ, or whose words do; nothing where the lines are no rows
    /// of one table.
    static std::optional<std::size_t>
    differing_cell(const Place& reported, const Place& derived, bool is_figure) {
        if (derived.cells.empty() || reported.cells.size() != derived.cells.size()) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < derived.cells.size(); ++i) {
            const std::string& one = reported.cells[i].text;
            const std::string& other = derived.cells[i].text;
            if (is_figure ? figures_of(one) != figures_of(other) : one != other) {
                return i;
            }
        }
        return std::nullopt;
    }

    void keep(Difference difference) {
        is_done_ = difference.is_figure;
        if (is_done_ || !found_.difference) {
            found_.difference = std::move(difference);
        }
    }

    const Lines* reported_;
    const Lines* derived_;
    Format format_;
    Verification found_;
    bool is_done_ = false;
};

} // namespace

Verification compare_lines(std::string_view reported, std::string_view derived, Format format) {
    return LineComparison(lines_of(reported), lines_of(derived), format).run();
}

} // namespace kvprof::report
