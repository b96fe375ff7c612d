#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
};

/// Rows of text under titled columns; numbers are right-aligned by the column's choice.
class Table {
  public:
    explicit Table(std::vector<Column> columns);

    /// @pre one cell a column
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    /// Columns padded to their widest cell, two spaces apart, no blanks at line ends.
    [[nodiscard]] std::string text(const std::string& indent = {}) const;
    /// A GitHub table; `|` in a cell is escaped, a line break becomes a blank.
    [[nodiscard]] std::string markdown() const;

  private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace kvprof::analyzers
