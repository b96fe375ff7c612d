#include "report/render.h"

#include "report/renderers.h"

namespace kvprof::report {

std::string render(const Report& report) {
    switch (report.recipe.format) {
    case Format::text: return text(document_of(report));
    case Format::markdown: return markdown(document_of(report));
    case Format::markdown_table: return markdown_table(document_of(report));
    case Format::html: return html_page(report);
    case Format::json: return json_document(report);
    case Format::jsonl: return json_lines(report);
    case Format::csv: return csv_table(report);
    case Format::junit: return junit_xml(report);
    case Format::github: return github_parts(report).summary;
    case Format::openmetrics: return openmetrics_text(report);
    case Format::gbench: return gbench_json(report);
    case Format::bmf: return bmf_json(report);
    case Format::benchstat: return benchstat_text(report);
    case Format::github_action_benchmark: return github_action_benchmark_json(report);
    case Format::perfetto: return perfetto_trace(report);
    }
    return {};
}

} // namespace kvprof::report
