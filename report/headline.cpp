#include "report/headline.h"

#include "analyzers/metrics_of.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <cmath>

namespace kvprof::report {

Headline headline_of(const Run& run) {
    Headline line;
    for (const analyzers::Series& series : analyzers::metrics_of(run)) {
        const double value = stats::median(series.values);
        if (series.id == "step.gpu_time" || series.id == "op.gpu_time") {
            line.step_time = value;
        } else if (series.id == "step.wall_time" || series.id == "op.wall_time") {
            line.wall_time = value;
        } else if (series.id == "step.launches") {
            line.launches = value;
        } else if (series.id == "step.copies") {
            line.copies = value;
        } else if (series.id == "ledger.graph.bytes" && !line.graph_memory) {
            line.graph_memory = value; // the group; a buffer of that name would come later
        } else if (series.id == "step.host_before" || series.id == "step.host_launch" || series.id == "step.host_after") {
            line.host_time = line.host_time.value_or(0.0) + value;
        }
    }
    return line;
}

std::optional<analyzers::Summary> summary_of(const Series& series, const HeadlineMetric& metric) {
    std::vector<double> values;
    for (const Run* run : series.runs) {
        if (const auto value = headline_of(*run).*metric.value) {
            values.push_back(*value);
        }
    }
    return analyzers::summarise(values);
}

std::int64_t replays_of(const Run& run) {
    std::int64_t replays = 0;
    for (const Sample& sample : run.samples) {
        replays += sample.discarded ? 0 : sample.replays;
    }
    return replays;
}

std::string decimal(double value) {
    constexpr double kDigits = 1000.0;
    return fmt::format("{}", std::round(value * kDigits) / kDigits + 0.0);
}

} // namespace kvprof::report
