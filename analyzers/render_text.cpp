#include "analyzers/render_text.h"

#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace kvprof::analyzers {

namespace {

std::string delta_table(const std::vector<const Delta*>& rows) {
    Table table(
        {{"metric"},
         {"base", Align::right},
         {"candidate", Align::right},
         {"change", Align::right},
         {"verdict"},
         {"evidence"}}
    );
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
    return table.empty() ? std::string() : table.text("  ");
}

/// What is judged, then what explains it.
std::string delta_tables(const Comparison& comparison) {
    const ShownRows rows = shown_rows(comparison);
    std::string text = "\n" + delta_table(rows.judged);
    if (!rows.explaining.empty()) {
        text += fmt::format("\n{}\n{}", kExplainsTitle, delta_table(rows.explaining));
    }
    if (rows.left_out > 0) {
        text +=
            fmt::format("  ({} rows that would explain are equal: see --json)\n", rows.left_out);
    }
    return text;
}

/// Of what may be judged: figures that explain are medians above, and whole in JSON.
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
        if (row.metric->kind == MetricKind::sampled && row.metric->better != Direction::neither) {
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
        text += delta_tables(comparison);
    }
    text += text_block("values, one a run (the median of its samples)", value_lines(comparison));
    text += text_block("concerns", concern_lines(comparison.concerns));
    return text + text_block("notes", comparison.notes);
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

} // namespace

std::string comparison_text(const Comparison& comparison) {
    return body_of(comparison) + text_block("not measured", comparison.not_measured);
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
    return text + text_block("not compared", unpaired) + text_block("not measured", not_measured);
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
    text += text_block("notes", run_remarks(experiment.runs));
    text += text_block("measured on", environment_lines(experiment.runs));
    return text + text_block("not measured", limits_of(experiment.runs));
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
