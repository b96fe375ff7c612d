#pragma once

#include "analyzers/json_values.h"

#include <span>
#include <string>

namespace kvprof::report {

/// A column of a table that is taken out of JSON objects, so that it says what JSON says.
struct CsvColumn {
    const char* name;
    const char* where; ///< a JSON pointer, "/base/median"; what it does not lead to is empty
};

/// RFC 4180: comma, CRLF, quotes doubled; UTF-8 without a mark. Numbers are written as in JSON. A
/// text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a carriage
/// return) gets an apostrophe before it; what is no UTF-8, and control characters but tab and line
/// ends, become U+FFFD.
class CsvText {
  public:
    /// @param columns have to outlive this
    explicit CsvText(std::span<const CsvColumn> columns);

    void add(const analyzers::Json& row);

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::span<const CsvColumn> columns_;
    std::string text_;
};

} // namespace kvprof::report
