#include "analyzers/figures.h"
#include "analyzers/summary.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

std::string figure(const std::vector<Series>& metrics, std::string_view id) {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Series& series) {
        return series.id == id;
    });
    if (found == metrics.end()) {
        return "-";
    }
    const Summary summary = *summarise(found->values);
    const Unit unit = found->metric->unit;
    if (found->metric->kind == MetricKind::exact) {
        return format_value(unit, summary.median);
    }
    return fmt::format(
        "{} [{} .. {}]",
        format_value(unit, summary.median),
        format_value(unit, summary.min),
        format_value(unit, summary.max)
    );
}

std::string_view time_metric(const Run& run) {
    return run.measure.op.empty() ? "step.gpu_time" : "op.gpu_time";
}

std::string time_title(const std::vector<Run>& runs) {
    const auto is_op = [](const Run& run) { return !run.measure.op.empty(); };
    if (std::all_of(runs.begin(), runs.end(), is_op)) {
        return "op.gpu_time [min .. max]";
    }
    return std::any_of(runs.begin(), runs.end(), is_op) ? "gpu_time of step or op [min .. max]"
                                                        : "step.gpu_time [min .. max]";
}

} // namespace

std::string short_id(std::string_view uuid) {
    constexpr std::size_t kDigits = 8;
    return std::string(uuid.substr(0, kDigits));
}

std::string variant_name(std::string_view variant) {
    return variant.empty() ? "(as given)" : std::string(variant);
}

std::string check_cell(const Check& check) {
    if (check.ids_compared == 0 && check.attention_rows == 0) {
        return "none";
    }
    std::string text = check.ids_different == 0
                           ? fmt::format("{} ids equal", format_count(check.ids_compared))
                           : fmt::format(
                               "{} of {} ids differ",
                               format_count(check.ids_different),
                               format_count(check.ids_compared)
                           );
    if (check.attention_error) {
        text += fmt::format("; attention error {:.1e}", *check.attention_error);
    }
    return text;
}

Table run_table(const std::vector<Run>& runs) {
    Table table(
        {{"run"},
         {"variant"},
         {"status"},
         {time_title(runs), Align::right},
         {"launches", Align::right},
         {"graph nodes", Align::right},
         {"graph bytes (ledger)", Align::right},
         {"check"}}
    );
    for (const Run& run : runs) {
        const std::vector<Series> metrics = metrics_of(run);
        table.add(
            {short_id(run.uuid),
             variant_name(run.variant),
             std::string(to_string(run.status.state)),
             figure(metrics, time_metric(run)),
             figure(metrics, "step.launches"),
             figure(metrics, "graph.nodes"),
             figure(metrics, "ledger.graph.bytes"),
             check_cell(run.check)}
        );
    }
    return table;
}

std::vector<std::string> run_remarks(const std::vector<Run>& runs) {
    std::vector<std::string> lines;
    for (const Run& run : runs) {
        const std::string who = fmt::format("{} {}", short_id(run.uuid), variant_name(run.variant));
        if (run.status.state != RunState::complete) {
            lines.push_back(
                fmt::format("{}: {}: {}", who, to_string(run.status.state), run.status.reason)
            );
        }
        for (const std::string& note : run.notes) {
            lines.push_back(fmt::format("{}: {}", who, note));
        }
        const auto discarded =
            std::count_if(run.samples.begin(), run.samples.end(), [](const Sample& sample) {
                return sample.discarded.has_value();
            });
        if (discarded > 0) {
            lines.push_back(
                fmt::format("{}: {} of {} samples discarded", who, discarded, run.samples.size())
            );
        }
    }
    return lines;
}

std::vector<std::string> environment_lines(const std::vector<Run>& runs) {
    std::vector<std::string> lines;
    for (const Run& run : runs) {
        const Environment& where = run.environment;
        if (where.executor.empty() && where.device_name.empty()) {
            continue;
        }
        std::string line = fmt::format(
            "{} executor on {} (driver {}, runtime {}), L2 {}, {}{}, kvprof {}",
            where.executor,
            where.device_name,
            where.driver,
            where.cuda_runtime,
            to_string(run.measure.l2),
            run.measure.op.empty() ? "" : fmt::format("op {} alone, ", run.measure.op),
            where.hostname,
            where.build
        );
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace kvprof::analyzers
