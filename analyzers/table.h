#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {

enum class Align : std::uint8_t { left, right };
/// Whether text may leave out the middle of a cell so that a row fits its line.
enum class Fit : std::uint8_t { whole, elided };

struct Column {
    std::string title;
    Align align = Align::left;
    Fit fit = Fit::whole;
};

/// Rows of text under titled columns; numbers are right-aligned by the column's choice.
class Table {
  public:
    static constexpr std::size_t kLineWidth = 160;

    explicit Table(std::vector<Column> columns);

    /// @pre one cell a column
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    /// Columns padded to their widest cell, two spaces apart, no blanks at line ends. When a line
    /// would have over kLineWidth characters, cells of the elided columns lose their middle.
    [[nodiscard]] std::string text(const std::string& indent = {}) const;
    /// A GitHub table; what Markdown would read in a cell is escaped (`|`, `<`, `*`), a line break
    /// becomes a blank.
    [[nodiscard]] std::string markdown() const;

  private:
    [[nodiscard]] std::vector<std::size_t> widths() const;
    /// The widths, less what is over `room`, taken from the elided columns.
    [[nodiscard]] std::vector<std::size_t> fitted_widths(std::size_t room) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace kvprof::analyzers
