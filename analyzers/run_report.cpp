#include "analyzers/run_report.h"

#include "analyzers/imported_runs.h"
#include "analyzers/metrics_of.h"
#include "analyzers/roofline_sections.h"
#include "analyzers/summary.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Times and counts of the step as a whole; ops, calls and bytes have tables of their own.
bool is_of_whole_step(const MetricDef& metric) {
    return metric.id.find('<') == std::string_view::npos && metric.unit != Unit::bytes;
}

Section metrics_section(const Run& run) {
    Table table(
        {{"metric"},
         {"median", Align::right},
         {"min", Align::right},
         {"max", Align::right},
         {"mad", Align::right},
         {"n", Align::right}}
    );
    for (const Series& series : metrics_of(run)) {
        if (!is_of_whole_step(*series.metric)) {
            continue;
        }
        const Summary summary = *summarise(series.values);
        const Unit unit = series.metric->unit;
        const bool is_exact = series.metric->kind == MetricKind::exact;
        table.add(
            {Cell::code(series.id),
             format_value(unit, summary.median),
             is_exact ? "" : format_value(unit, summary.min),
             is_exact ? "" : format_value(unit, summary.max),
             is_exact ? "" : format_value(unit, summary.mad),
             is_exact ? "exact" : fmt::format("{}", summary.n)}
        );
    }
    return {"step", table.empty() ? std::nullopt : std::optional(std::move(table)), {}};
}

std::vector<Param> environment_of(const Run& run) {
    std::vector<Param> params = to_params(run.environment);
    for (const ForeignProcess& process : run.environment.foreign) {
        params.push_back(
            {fmt::format("other process {}", process.when),
             fmt::format("pid {}, {}", process.pid, format_bytes(Bytes{process.bytes}))}
        );
    }
    return params;
}

std::vector<Param> identity_of(const Run& run) {
    return {
        {"started-at", run.started_at},
        {"repeat", fmt::format("{}", run.repeat)},
        {"position", fmt::format("{}", run.position)},
        {"process-id", fmt::format("{}", run.process_id)},
        {"samples", fmt::format("{}", run.samples.size())},
        {"warmup-replays", fmt::format("{}", run.warmup_replays)},
        {"schedulable-tokens", format_count(run.pool.schedulable_tokens)},
        {"state-slots", format_count(run.pool.state_slots)}};
}

} // namespace

std::string status_line(const Run& run) {
    if (run.status.state == RunState::complete) {
        return is_partial(run) ? "partial" : "complete";
    }
    return fmt::format(
        "{} (exit code {}): {}",
        to_string(run.status.state),
        run.status.exit_code,
        run.status.reason
    );
}

std::vector<Section> figure_sections(const Run& run) {
    if (run.status.state != RunState::complete) {
        return {};
    }
    std::vector<Section> sections;
    for (auto* const section_of :
         {metrics_section,
          passes_section,
          ledger_section,
          ops_section,
          roofline_section,
          kernels_section,
          copies_section,
          calls_section,
          coverage_section,
          memory_section,
          graph_memory_section}) {
        Section section = section_of(run);
        if (section.table || !section.lines.empty()) {
            sections.push_back(std::move(section));
        }
    }
    return sections;
}

std::vector<ParamList> param_lists(const Run& run) {
    std::vector<ParamList> lists{
        {"environment", environment_of(run)},
        {"identity", identity_of(run)},
        {"step options", to_params(run.step)},
        {"measure options", to_params(run.measure)}};
    for (ParamList& list : lists) {
        for (Param& param : list.params) {
            param.value = param.value.empty() ? "(none)" : std::move(param.value);
        }
    }
    return lists;
}

} // namespace kvprof::analyzers
