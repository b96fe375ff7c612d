#include "analyzers/table.h"

#include <cassert>

namespace kvprof::analyzers {

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> cells) {
    assert(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

} // namespace kvprof::analyzers
