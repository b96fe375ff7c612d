#include "analyzers/table.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/sql.h"
#include "report/csv_text.h"
#include "report/renderers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <variant>
#include <vector>

namespace kvprof::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kChunk = 65'536;

std::string hex(const db::SqlBlob& blob) {
    std::string text;
    for (const char byte : blob.bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return text;
}

struct AsText {
    std::string operator()(std::monostate) const { return {}; }

    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }

    std::string operator()(double value) const { return fmt::format("{}", value); }

    std::string operator()(const std::string& value) const { return value; }

    std::string operator()(const db::SqlBlob& value) const { return hex(value); }
};

struct AsJson {
    Json operator()(std::monostate) const { return nullptr; }

    Json operator()(const db::SqlBlob& value) const { return hex(value); }

    template<typename Value>
    Json operator()(const Value& value) const {
        return value;
    }
};

std::vector<std::string> texts(const db::SqlRow& row) {
    std::vector<std::string> cells;
    for (const db::SqlValue& value : row) {
        cells.push_back(std::visit(AsText{}, value));
    }
    return cells;
}

Json values(const db::SqlRow& row) {
    Json list = Json::array();
    for (const db::SqlValue& value : row) {
        list.push_back(std::visit(AsJson{}, value));
    }
    return list;
}

std::string dump(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

bool is_number(const db::SqlValue& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// Whole: the widths of a table depend on every row.
std::string table(db::SqlQuery& query, Format format) {
    std::vector<std::vector<std::string>> rows;
    std::vector<analyzers::Column> columns;
    for (const std::string& name : query.columns()) {
        columns.push_back({name});
    }
    for (db::SqlRow row; query.next(row);) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            columns[i].align = is_number(row[i]) ? analyzers::Align::right : columns[i].align;
        }
        rows.push_back(texts(row));
    }
    analyzers::Table table(columns);
    for (const std::vector<std::string>& row : rows) {
        table.add({row.begin(), row.end()});
    }
    return format == Format::markdown ? report::markdown(table) : report::text(table);
}

std::string whole_json(db::SqlQuery& query) {
    Json json{{"schema", "kvprof.rows/1"}, {"columns", query.columns()}, {"rows", Json::array()}};
    for (db::SqlRow row; query.next(row);) {
        json["rows"].push_back(values(row));
    }
    return dump(json, 2) + "\n";
}

std::string json_line(const std::vector<std::string>& columns, const db::SqlRow& row) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
        json[columns[i]] = std::visit(AsJson{}, row[i]);
    }
    return dump(json, -1) + "\n";
}

std::string csv(db::SqlQuery& query) {
    const std::vector<std::string>& names = query.columns();
    std::vector<std::string> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        places.push_back(fmt::format("/{}", i));
    }
    std::vector<report::CsvColumn> columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
        columns.push_back({names[i].c_str(), places[i].c_str()});
    }
    report::CsvText text(columns);
    for (db::SqlRow row; query.next(row);) {
        text.add(values(row));
    }
    return text.text();
}

/// On stdout a result of any length needs the memory of a few rows.
void write_json_lines(db::SqlQuery& query, const CommonOptions& common, Output& output) {
    std::string text;
    for (db::SqlRow row; query.next(row);) {
        text += json_line(query.columns(), row);
        if (text.size() > kChunk && !common.output) {
            output.write(text);
            text.clear();
        }
    }
    output.write(text);
}

} // namespace

ExitCode run(const SqlOptions& options) {
    const CommonOptions& common = options.common;
    Output output(common);
    db::SqlQuery query(store_path_of(common), options.statement);
    if (common.format == Format::jsonl) {
        write_json_lines(query, common, output);
    } else if (common.format == Format::csv) {
        output.write(csv(query));
    } else if (common.format == Format::json) {
        output.write(whole_json(query));
    } else {
        output.write(table(query, common.format));
    }
    return ExitCode::done;
}

} // namespace kvprof::cli
