#pragma once

#include "analyzers/table.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// One titled part of a report: a table, then lines. A section without both is left out.
struct Section {
    std::string title; ///< empty: the table follows the head
    std::optional<Table> table;
    std::vector<std::string> lines;

    [[nodiscard]] bool empty() const { return (!table || table->empty()) && lines.empty(); }
};

} // namespace kvprof::analyzers
