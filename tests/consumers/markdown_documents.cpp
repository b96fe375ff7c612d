#include "tests/consumers/markdown_documents.h"

#include "analyzers/json_values.h"
#include "report/renderers.h"
#include "report/utf8.h"
#include "tests/consumers/written_file.h"
#include "tests/report/sample_reports.h"

#include <array>
#include <string>
#include <utility>

namespace {

using kvprof::analyzers::Json;
using kvprof::report::Document;
using kvprof::report::Format;
using kvprof::report::one_line;
using kvprof::report::Report;
using kvprof::test::write;

Json words_of(const kvprof::analyzers::Table& table) {
    Json rows = Json::array();
    for (const auto& cells : table.rows()) {
        Json row = Json::array();
        for (const kvprof::analyzers::Cell& cell : cells) {
            row.push_back({one_line(cell.text), cell.is_code});
        }
        rows.push_back(row);
    }
    return rows;
}

Json words_of(const Document& document) {
    Json words{
        {"title", one_line(document.title)},
        {"recipe", document.recipe},
        {"tables", Json::array()},
        {"items", Json::array()},
        {"paragraphs", Json::array()},
        {"summaries", Json::array()}};
    for (const kvprof::report::Part& part : document.parts) {
        if (part.weight == kvprof::report::Weight::detail) {
            words["summaries"].push_back(one_line(part.title));
        }
        for (const kvprof::analyzers::Section& section : part.sections) {
            if (section.table && !section.table->empty()) {
                words["tables"].push_back(words_of(*section.table));
            }
            const bool is_list = !section.title.empty() || section.table;
            for (const std::string& line : section.lines) {
                words[is_list ? "items" : "paragraphs"].push_back(one_line(line));
            }
        }
    }
    for (const std::string& line : document.not_measured) {
        words["items"].push_back(one_line(line));
    }
    return words;
}

} // namespace

void write_markdown_documents(const std::filesystem::path& folder) {
    constexpr std::size_t kAnyRoom = 100'000'000;
    using Make = Report (*)(Format);
    const std::array<std::pair<const char*, Make>, 5> reports{
        {{"gate", kvprof::test::gate_report},
         {"lone", kvprof::test::lone_gate_report},
         {"hostile", kvprof::test::hostile_report},
         {"experiment", kvprof::test::experiment_report},
         {"run", kvprof::test::run_report}}};
    for (const auto& [name, make] : reports) {
        const Document document = kvprof::report::document_of(make(Format::markdown));
        const auto file = [&, subject = std::string(name)](const char* ending) {
            return folder / (subject + ending);
        };
        write(file(".md"), kvprof::report::markdown(document, kAnyRoom));
        write(file(".body.md"), kvprof::report::markdown(document));
        write(file(".words.json"), words_of(document).dump());
    }
}
