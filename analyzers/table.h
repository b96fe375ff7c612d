#pragma once

#include <cstdint>
#include <string>
#include <utility>
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

/// Plain words of a table: nothing is escaped. Which of them are code (ids, names of kernels,
/// command lines) each renderer shows in its own way.
struct Cell {
    std::string text;
    bool is_code = false;

    // NOLINTBEGIN(google-explicit-constructor): a row is written as its words
    Cell(std::string words)
        : text(std::move(words)) {}

    Cell(const char* words)
        : text(words) {}

    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] static Cell code(std::string words) {
        Cell cell(std::move(words));
        cell.is_code = true;
        return cell;
    }

    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Rows of cells under titled columns; numbers are right-aligned by the column's choice.
class Table {
  public:
    explicit Table(std::vector<Column> columns);

    /// @pre one cell a column
    void add(std::vector<Cell> cells);

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }

    [[nodiscard]] const std::vector<std::vector<Cell>>& rows() const noexcept { return rows_; }

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

} // namespace kvprof::analyzers
