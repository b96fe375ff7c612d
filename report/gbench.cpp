#include "analyzers/json_values.h"
#include "report/headline.h"
#include "report/judged.h"
#include "report/renderers.h"
#include "report/series.h"

#include <cstddef>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Json;
using analyzers::number;

constexpr double kNsPerUs = 1000.0;

/// What the runs were measured on: of the first one.
Json context(const Report& report, const std::vector<const Run*>& runs) {
    Json json{
        {"date", newest_start(runs)},
        {"host_name", runs.empty() ? "" : runs.front()->environment.hostname},
        {"executable", "kvprof"},
        {"num_cpus", runs.empty() ? 0 : runs.front()->environment.cpu_count},
        {"caches", Json::array()}, // Bencher refuses a file without
        {"library_build_type", "release"},
        {"json_schema_version", 1}};
    json["kvprof.version"] = report.tool.version;
    json["kvprof.report"] = report_id(report.recipe);
    json["kvprof.recipe"] = recipe_json(report.recipe);
    return json;
}

/// The step's time on the device, and what the host spends on a step where that is known.
Json entry(const Series& series, const Run& run, const Headline& values) {
    Json json{
        {"name", series.name},
        {"run_name", series.name},
        {"run_type", "iteration"},
        {"threads", 1},
        {"iterations", replays_of(run)},
        {"real_time", number(*values.step_time / kNsPerUs)},
        {"cpu_time",
         number(
             values.host_time.value_or(values.wall_time.value_or(*values.step_time)) / kNsPerUs
         )},
        {"time_unit", "us"}};
    for (const HeadlineMetric& metric : kHeadline) {
        const auto value = values.*metric.value;
        if (value && metric.kind == analyzers::MetricKind::exact) {
            json[std::string(metric.word)] = number(*value);
        }
    }
    return json;
}

void add_entries(Json& list, const Series& series, std::size_t family) {
    std::vector<Json> entries;
    for (const Run* run : series.runs) {
        if (const Headline values = headline_of(*run); values.step_time) {
            entries.push_back(entry(series, *run, values));
        }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i]["family_index"] = family;
        entries[i]["per_family_instance_index"] = 0;
        entries[i]["repetitions"] = entries.size();
        entries[i]["repetition_index"] = i;
        list.push_back(std::move(entries[i]));
    }
}

} // namespace

std::string gbench_json(const Report& report) {
    const std::vector<Series> all = series_of(report);
    std::vector<const Run*> runs;
    Json list = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        runs.insert(runs.end(), all[i].runs.begin(), all[i].runs.end());
        add_entries(list, all[i], i);
    }
    return analyzers::document({{"context", context(report, runs)}, {"benchmarks", list}});
}

} // namespace kvprof::report
