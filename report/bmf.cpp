#include "analyzers/json_values.h"
#include "report/headline.h"
#include "report/renderers.h"
#include "report/series.h"

namespace kvprof::report {

namespace {

using analyzers::Json;
using analyzers::Summary;

/// The measure of Bencher that a metric is: `latency`, in ns, is one of its own.
const char* measure_of(const HeadlineMetric& metric) {
    if (metric.value == &Headline::step_time) {
        return "latency";
    }
    if (metric.value == &Headline::graph_memory) {
        return "graph-memory";
    }
    return metric.word.data();
}

/// A point and its bounds, since the format has no list of samples.
Json point(const HeadlineMetric& metric, const Summary& summary) {
    Json json{{"value", analyzers::number(summary.median)}};
    if (metric.kind == analyzers::MetricKind::sampled || summary.min != summary.max) {
        json["lower_value"] = analyzers::number(summary.min);
        json["upper_value"] = analyzers::number(summary.max);
    }
    return json;
}

} // namespace

std::string bmf_json(const Report& report) {
    Json json = Json::object();
    for (const Series& series : series_of(report)) {
        for (const HeadlineMetric& metric : kHeadline) {
            if (const auto summary = summary_of(series, metric)) {
                json[series.name][measure_of(metric)] = point(metric, *summary);
            }
        }
    }
    return analyzers::document(json);
}

} // namespace kvprof::report
