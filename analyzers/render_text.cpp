#include "analyzers/render_text.h"

#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/spec_diff.h"
#include "capture/model/params.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace kvprof::analyzers {

namespace {

std::string section(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) {
        return {};
    }
    std::string text = "\n" + title + "\n";
    for (const std::string& line : lines) {
        text += "  " + line + "\n";
    }
    return text;
}

std::string delta_table(const Comparison& comparison) {
    Table table(
        {{"metric"},
         {"base", Align::right},
         {"candidate", Align::right},
         {"change", Align::right},
         {"verdict"},
         {"evidence"}}
    );
    const std::vector<const Delta*> rows = shown_rows(comparison);
    for (const Delta* row : rows) {
        table.add(
            {row->id,
             side_cell(row->base, *row->metric),
             side_cell(row->candidate, *row->metric),
             change_cell(*row),
             verdict_cell(*row),
             evidence_cell(*row)}
        );
    }
    std::string text = table.empty() ? std::string() : table.text("  ");
    const std::size_t left_out = comparison.deltas.size() - rows.size();
    if (left_out > 0) {
        text +=
            fmt::format("  ({} rows of ops and buffers that are equal: see --json)\n", left_out);
    }
    return text;
}

std::vector<std::string> value_lines(const Comparison& comparison) {
    std::vector<std::string> lines;
    const auto list = [](const SideValues& side, const MetricDef& metric) {
        std::vector<std::string> values;
        for (const double value : side.values) {
            values.push_back(format_value(metric.unit, value));
        }
        return values.empty() ? std::string("-") : fmt::format("{}", fmt::join(values, "  "));
    };
    for (const Delta& row : comparison.deltas) {
        if (row.metric->kind == MetricKind::sampled) {
            lines.push_back(fmt::format(
                "{}  {}  ->  {}",
                row.id,
                list(row.base, *row.metric),
                list(row.candidate, *row.metric)
            ));
        }
    }
    return lines;
}

/// The first row with one of these ids; null when there is none.
const Delta* row_of(const Comparison& comparison, const std::vector<std::string_view>& ids) {
    for (const Delta& row : comparison.deltas) {
        if (std::find(ids.begin(), ids.end(), row.id) != ids.end()) {
            return &row;
        }
    }
    return nullptr;
}

std::string both_cells(const Delta* row) {
    return row == nullptr ? std::string("-")
                          : fmt::format(
                              "{} -> {}",
                              side_cell(row->base, *row->metric),
                              side_cell(row->candidate, *row->metric)
                          );
}

std::vector<std::string> concern_lines(const std::vector<Concern>& concerns) {
    std::vector<std::string> lines;
    for (const Concern& concern : concerns) {
        lines.push_back(fmt::format("{}  {}", to_string(concern.severity), concern.text));
    }
    return lines;
}

std::string head_of(const Comparison& comparison) {
    return fmt::format(
        "{}   ({})\nverdict: {}\n",
        describe_changes(comparison.spec_changes),
        describe_sides(comparison),
        describe_verdict(comparison)
    );
}

/// A comparison without its limits.
std::string body_of(const Comparison& comparison) {
    std::string text = head_of(comparison);
    if (!comparison.deltas.empty()) {
        text += "\n" + delta_table(comparison);
    }
    text += section("values, one a run (the median of its samples)", value_lines(comparison));
    text += section("concerns", concern_lines(comparison.concerns));
    return text + section("notes", comparison.notes);
}

/// One line a cell: the time, the launches and the graph's bytes on both sides.
std::string overview_of(const PairedComparison& comparison) {
    Table table(
        {{"cell", Align::left, Fit::elided},
         {comparison.field},
         {"gpu_time", Align::right},
         {"change", Align::right},
         {"launches", Align::right},
         {"graph bytes (ledger)", Align::right},
         {"verdict"}}
    );
    for (const auto& [cell, pair] : comparison.cells) {
        const Delta* const time = row_of(pair, {"step.gpu_time", "op.gpu_time"});
        table.add(
            {cell.empty() ? "-" : cell,
             pair.spec_changes.empty()
                 ? std::string("-")
                 : fmt::format(
                     "{} -> {}", pair.spec_changes.front().base, pair.spec_changes.front().candidate
                 ),
             both_cells(time),
             time == nullptr ? "-" : change_cell(*time),
             both_cells(row_of(pair, {"step.launches"})),
             both_cells(row_of(pair, {"ledger.graph.bytes"})),
             std::string(to_string(pair.verdict))}
        );
    }
    return table.text();
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
    return section(title, lines);
}

std::string metric_block(const Run& run) {
    Table table(
        {{"metric"},
         {"median", Align::right},
         {"min", Align::right},
         {"max", Align::right},
         {"mad", Align::right},
         {"n", Align::right}}
    );
    for (const Series& series : metrics_of(run)) {
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
    return table.empty() ? std::string() : "\nmetrics\n" + table.text("  ");
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

std::vector<Param> foreign_params(const Environment& environment) {
    std::vector<Param> params;
    for (const ForeignProcess& process : environment.foreign) {
        params.push_back(
            {fmt::format("other process {}", process.when),
             fmt::format("pid {}, {}", process.pid, format_bytes(Bytes{process.bytes}))}
        );
    }
    return params;
}

} // namespace

std::string comparison_text(const Comparison& comparison) {
    return body_of(comparison) + section("not measured", comparison.not_measured);
}

std::string pairs_text(const PairedComparison& comparison) {
    std::string text;
    if (comparison.cells.empty()) {
        text = fmt::format("no pair of runs differs in {} alone\n", comparison.field);
    } else if (comparison.cells.size() > 1) {
        text = overview_of(comparison);
    }
    std::vector<std::string> not_measured;
    for (const PairedComparison::Cell& cell : comparison.cells) {
        text += text.empty() ? "" : "\n";
        text += cell.cell.empty() ? "" : cell.cell + "\n";
        text += body_of(cell.comparison);
        for (const std::string& limit : cell.comparison.not_measured) {
            if (std::find(not_measured.begin(), not_measured.end(), limit) == not_measured.end()) {
                not_measured.push_back(limit);
            }
        }
    }
    std::vector<std::string> unpaired;
    for (const Unpaired& variant : comparison.unpaired) {
        unpaired.push_back(fmt::format("{}: {}", variant.variant, variant.reason));
    }
    return text + section("not compared", unpaired) + section("not measured", not_measured);
}

std::string run_text(const Run& run) {
    std::string text = fmt::format(
        "run {}  {}\n{}\ncheck: {}\n",
        run.uuid,
        variant_name(run.variant),
        status_line(run),
        check_cell(run)
    );
    text += metric_block(run);
    text += section("notes", run.notes);
    text += param_block(
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
    text += param_block("step", to_params(run.step));
    text += param_block("measure", to_params(run.measure));
    std::vector<Param> environment = to_params(run.environment);
    for (Param& process : foreign_params(run.environment)) {
        environment.push_back(std::move(process));
    }
    text += param_block("environment", environment);
    return text + section("not measured", limits_of({run}));
}

std::string experiment_text(const Experiment& experiment) {
    const auto complete =
        std::count_if(experiment.runs.begin(), experiment.runs.end(), [](const Run& run) {
            return run.status.state == RunState::complete;
        });
    std::string text = fmt::format(
        "experiment {}{}  {}: {} of {} runs complete\n",
        short_id(experiment.uuid),
        experiment.label.empty() ? "" : fmt::format(" \"{}\"", experiment.label),
        to_string(experiment.state),
        complete,
        experiment.runs.size()
    );
    if (!experiment.runs.empty()) {
        text += "\n" + run_table(experiment.runs).text("  ");
    }
    text += section("notes", run_remarks(experiment.runs));
    text += section("measured on", environment_lines(experiment.runs));
    return text + section("not measured", limits_of(experiment.runs));
}

std::string listing_text(const std::vector<ListingRow>& rows) {
    if (rows.empty()) {
        return "no experiment is stored\n";
    }
    Table table(
        {{"experiment"},
         {"started"},
         {"state"},
         {"complete", Align::right},
         {"variants", Align::right},
         {"label"},
         {"tags"},
         {"command", Align::left, Fit::elided}}
    );
    for (const ListingRow& row : rows) {
        table.add(
            {short_id(row.uuid),
             row.started_at,
             std::string(to_string(row.state)),
             fmt::format("{}/{}", row.complete_runs, row.runs),
             fmt::format("{}", row.variants),
             row.label,
             fmt::format("{}", fmt::join(row.tags, ", ")),
             row.command_line}
        );
    }
    return table.text();
}

} // namespace kvprof::analyzers
