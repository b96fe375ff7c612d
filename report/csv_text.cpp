#include "report/csv_text.h"

#include "report/clean_text.h"

#include <string_view>

namespace kvprof::report {

namespace {

using analyzers::Json;

constexpr const char* kLineEnd = "\r\n";

std::string quoted_cell(const std::string& text) {
    if (text.find_first_of("\",\r\n") == std::string::npos) {
        return text;
    }
    std::string cell = "\"";
    for (const char letter : text) {
        cell += letter;
        if (letter == '"') {
            cell += letter;
        }
    }
    return cell + "\"";
}

/// No reader of CSV takes the control characters that XML can not hold either.
std::string text_cell(const std::string& name) {
    constexpr std::string_view kStartsFormula = "=+-@\t\r";
    std::string text = xml_text(name);
    if (!text.empty() && kStartsFormula.find(text.front()) != std::string_view::npos) {
        text.insert(text.begin(), '\'');
    }
    return quoted_cell(text);
}

std::string cell_of(const Json& value) {
    if (value.is_null()) {
        return {};
    }
    return value.is_string() ? text_cell(value.get<std::string>()) : value.dump();
}

} // namespace

CsvText::CsvText(std::span<const CsvColumn> columns)
    : columns_(columns) {
    for (const CsvColumn& column : columns_) {
        text_ += (text_.empty() ? "" : ",") + std::string(column.name);
    }
    text_ += kLineEnd;
}

void CsvText::add(const Json& row) {
    const char* separator = "";
    for (const CsvColumn& column : columns_) {
        const Json::json_pointer where(column.where);
        text_ += separator;
        text_ += row.contains(where) ? cell_of(row.at(where)) : std::string();
        separator = ",";
    }
    text_ += kLineEnd;
}

} // namespace kvprof::report
