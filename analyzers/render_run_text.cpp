#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/render_text.h"
#include "analyzers/run_sections.h"
#include "analyzers/summary.h"
#include "analyzers/text_blocks.h"
#include "capture/model/params.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

std::string text_of(const Section& section) {
    if (!section.table && section.lines.empty()) {
        return {};
    }
    std::string text = "\n" + section.title + "\n";
    text += section.table ? section.table->text("  ") : std::string();
    for (const std::string& line : section.lines) {
        text += "  " + line + "\n";
    }
    return text;
}

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
            {series.id,
             format_value(unit, summary.median),
             is_exact ? "" : format_value(unit, summary.min),
             is_exact ? "" : format_value(unit, summary.max),
             is_exact ? "" : format_value(unit, summary.mad),
             is_exact ? "exact" : fmt::format("{}", summary.n)}
        );
    }
    return {"step", table.empty() ? std::nullopt : std::optional(std::move(table)), {}};
}

std::string param_block(const std::string& title, const std::vector<Param>& params) {
    std::size_t widest = 0;
    for (const Param& param : params) {
        widest = std::max(widest, param.name.size());
    }
    std::vector<std::string> lines;
    for (const Param& param : params) {
        lines.push_back(fmt::format(
            "{:<{}}  {}", param.name, widest, param.value.empty() ? "(none)" : param.value
        ));
    }
    return text_block(title, lines);
}

std::string status_line(const Run& run) {
    if (run.status.state == RunState::complete) {
        return "complete";
    }
    return fmt::format(
        "{} (exit code {}): {}",
        to_string(run.status.state),
        run.status.exit_code,
        run.status.reason
    );
}

std::string environment_block(const Run& run) {
    std::vector<Param> params = to_params(run.environment);
    for (const ForeignProcess& process : run.environment.foreign) {
        params.push_back(
            {fmt::format("other process {}", process.when),
             fmt::format("pid {}, {}", process.pid, format_bytes(Bytes{process.bytes}))}
        );
    }
    return param_block("environment", params);
}

std::string identity_block(const Run& run) {
    return param_block(
        "identity",
        {{"started-at", run.started_at},
         {"repeat", fmt::format("{}", run.repeat)},
         {"position", fmt::format("{}", run.position)},
         {"process-id", fmt::format("{}", run.process_id)},
         {"samples", fmt::format("{}", run.samples.size())},
         {"warmup-replays", fmt::format("{}", run.warmup_replays)},
         {"schedulable-tokens", format_count(run.pool.schedulable_tokens)},
         {"state-slots", format_count(run.pool.state_slots)}}
    );
}

/// What was measured; a run that is not complete has no figures.
std::string figures_text(const Run& run) {
    if (run.status.state != RunState::complete) {
        return {};
    }
    std::string text;
    for (auto* const section :
         {metrics_section,
          passes_section,
          ledger_section,
          ops_section,
          kernels_section,
          copies_section,
          calls_section,
          coverage_section,
          memory_section,
          graph_memory_section}) {
        text += text_of(section(run));
    }
    return text;
}

} // namespace

std::string run_text(const Run& run) {
    return fmt::format(
               "run {}  {}\n{}\ncheck: {}\n",
               run.uuid,
               variant_name(run.variant),
               status_line(run),
               check_cell(run)
           )
           + text_of(conditions_section(run)) + text_block("notes", run.notes) + figures_text(run)
           + text_of(device_section(run)) + environment_block(run) + identity_block(run)
           + param_block("step options", to_params(run.step))
           + param_block("measure options", to_params(run.measure))
           + text_block("not measured", limits_of({run}));
}

} // namespace kvprof::analyzers
