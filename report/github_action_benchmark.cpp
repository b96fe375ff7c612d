#include "analyzers/json_values.h"
#include "report/headline.h"
#include "report/renderers.h"
#include "report/series.h"

#include <fmt/format.h>

#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Json;
using analyzers::Summary;

std::string range_of(const Summary& summary) {
    return fmt::format("{} .. {}", decimal(summary.min), decimal(summary.max));
}

} // namespace

std::string github_action_benchmark_json(const Report& report) {
    const std::string id = report_id(report.recipe);
    Json list = Json::array();
    for (const Series& series : series_of(report)) {
        for (const HeadlineMetric& metric : kHeadline) {
            const auto summary = summary_of(series, metric);
            if (!summary) {
                continue;
            }
            Json entry{
                {"name", fmt::format("{} {}", series.name, metric.word)},
                {"unit", to_string(metric.unit)},
                {"value", analyzers::number(summary->median)}};
            if (summary->min != summary->max) {
                entry["range"] = range_of(*summary);
            }
            entry["extra"] = fmt::format("{} runs\n{}", summary->n, id);
            list.push_back(std::move(entry));
        }
    }
    return analyzers::document(list);
}

} // namespace kvprof::report
