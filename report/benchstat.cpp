#include "report/headline.h"
#include "report/renderers.h"
#include "report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::report {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/// Whether the name ends as "-48": benchstat takes that for GOMAXPROCS and cuts it off.
bool ends_in_number(const std::string& name) {
    const auto rest = std::find_if_not(name.rbegin(), name.rend(), is_digit);
    return rest != name.rbegin() && rest != name.rend() && *rest == '-';
}

/// "BenchmarkDecode/batch=8/side=base": no small letter may follow "Benchmark".
std::string go_name(const std::string& name) {
    std::string text = "Benchmark" + name;
    char& first = text[std::string_view("Benchmark").size()];
    first = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    return ends_in_number(text) ? text + "-1" : text;
}

std::string_view unit_of(const HeadlineMetric& metric) {
    if (metric.value == &Headline::step_time) {
        return "ns/op";
    }
    if (metric.value == &Headline::launches) {
        return "launches/op";
    }
    return metric.value == &Headline::copies ? "copies/op" : "graph-bytes";
}

/// A line for each unit whose values do not vary: benchstat then compares them by equality.
std::string unit_lines() {
    std::string text;
    for (const HeadlineMetric& metric : kHeadline) {
        if (metric.kind == analyzers::MetricKind::exact) {
            text += fmt::format("Unit {} assume=exact\n", unit_of(metric));
        }
    }
    return text;
}

/// Empty for a run without a time, which the format can not do without.
std::string line_of(const Series& series, const Run& run) {
    const Headline values = headline_of(run);
    if (!values.step_time) {
        return {};
    }
    std::string line = fmt::format("{} {}", go_name(series.name), replays_of(run));
    for (const HeadlineMetric& metric : kHeadline) {
        if (const auto value = values.*metric.value) {
            line += fmt::format(" {} {}", decimal(*value), unit_of(metric));
        }
    }
    return line + "\n";
}

} // namespace

std::string benchstat_text(const Report& report) {
    std::string text = fmt::format("kvprof-report: {}\n", report_id(report.recipe)) + unit_lines();
    for (const Series& series : series_of(report)) {
        for (const Run* run : series.runs) {
            text += line_of(series, *run);
        }
    }
    return text;
}

} // namespace kvprof::report
