#pragma once

#include "analyzers/table.h"

#include <string>
#include <vector>

namespace kvprof::test {

/// The cells of each row with " | " between them.
[[nodiscard]] inline std::vector<std::string> table_rows(const analyzers::Table& table) {
    std::vector<std::string> rows;
    for (const std::vector<analyzers::Cell>& cells : table.rows()) {
        std::string row;
        for (const analyzers::Cell& cell : cells) {
            row += (&cell == &cells.front() ? "" : " | ") + cell.text;
        }
        rows.push_back(row);
    }
    return rows;
}

} // namespace kvprof::test
