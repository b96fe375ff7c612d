#include "analyzers/render_markdown.h"

#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/markdown_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kvprof::analyzers {

namespace {

std::vector<std::string> concern_lines(const std::vector<Concern>& concerns) {
    std::vector<std::string> lines;
    for (const Concern& concern : concerns) {
        lines.push_back(fmt::format("{} ({})", concern.text, to_string(concern.severity)));
    }
    return lines;
}

/// A sampled cell shows the range of the runs beside their median.
std::string cell_with_range(const SideValues& values, const MetricDef& metric) {
    std::string centre = side_cell(values, metric);
    if (metric.kind == MetricKind::exact || values.values.size() < 2) {
        return centre;
    }
    return fmt::format(
        "{} [{} .. {}]",
        centre,
        format_value(metric.unit, values.summary->min),
        format_value(metric.unit, values.summary->max)
    );
}

std::vector<std::string> delta_cells(const Delta& row) {
    return {
        fmt::format("`{}`", row.id),
        cell_with_range(row.base, *row.metric),
        cell_with_range(row.candidate, *row.metric),
        change_cell(row),
        verdict_cell(row),
        evidence_cell(row)};
}

const std::vector<Column>& delta_columns() {
    static const std::vector<Column> columns{
        {"metric"},
        {"base", Align::right},
        {"candidate", Align::right},
        {"change", Align::right},
        {"verdict"},
        {"evidence"}};
    return columns;
}

std::string delta_table(const std::vector<const Delta*>& rows) {
    Table table(delta_columns());
    for (const Delta* row : rows) {
        table.add(delta_cells(*row));
    }
    return table.empty() ? std::string() : "\n" + table.markdown();
}

/// "rectangle -> stream"
std::string change_of(const Comparison& pair) {
    return pair.spec_changes.empty()
               ? std::string("-")
               : fmt::format(
                   "{} -> {}", pair.spec_changes.front().base, pair.spec_changes.front().candidate
               );
}

std::string cell_name(const PairedComparison::Cell& cell) {
    return cell.cell.empty() ? change_of(cell.comparison) : cell.cell;
}

/// The judged rows of a cell; those that only explain would fill a page.
void add_cell_rows(const PairedComparison::Cell& cell, Table& table) {
    for (const Delta& row : cell.comparison.deltas) {
        if (row.metric->better == Direction::neither) {
            continue;
        }
        std::vector<std::string> cells{
            cell.cell.empty() ? "-" : cell.cell, change_of(cell.comparison)};
        for (std::string& figure : delta_cells(row)) {
            cells.push_back(std::move(figure));
        }
        table.add(std::move(cells));
    }
}

} // namespace

std::string comparison_markdown(const Comparison& comparison) {
    std::string text = fmt::format(
        "### {}\n\n**Verdict: {}.** {}.\n",
        describe_changes(comparison.spec_changes),
        describe_verdict(comparison),
        describe_sides(comparison)
    );
    const ShownRows rows = shown_rows(comparison);
    text += delta_table(rows.judged);
    if (!rows.explaining.empty()) {
        text += markdown_title(kExplainsTitle) + delta_table(rows.explaining);
    }
    text += markdown_list("Concerns", concern_lines(comparison.concerns));
    text += markdown_list("Notes", comparison.notes);
    text += markdown_list("Measured on", environment_lines(comparison.candidate.runs));
    return text + markdown_list("Not measured", comparison.not_measured);
}

std::string pairs_markdown(const PairedComparison& comparison) {
    std::vector<Column> columns = delta_columns();
    columns.insert(columns.begin(), {{"cell"}, {comparison.field}});
    Table table(columns);
    std::vector<Run> runs;
    std::vector<std::string> concerns;
    for (const PairedComparison::Cell& cell : comparison.cells) {
        add_cell_rows(cell, table);
        for (const std::string& concern : concern_lines(cell.comparison.concerns)) {
            concerns.push_back(fmt::format("{}: {}", cell_name(cell), concern));
        }
        for (const Side* side : {&cell.comparison.base, &cell.comparison.candidate}) {
            runs.insert(runs.end(), side->runs.begin(), side->runs.end());
        }
    }
    std::vector<std::string> unpaired;
    for (const Unpaired& variant : comparison.unpaired) {
        unpaired.push_back(fmt::format("{}: {}", variant.variant, variant.reason));
    }
    std::vector<std::string> limits{
        "whether sampled metrics differ: their values are shown, and no significance test is made"};
    for (std::string& limit : limits_of(runs)) {
        limits.push_back(std::move(limit));
    }
    return fmt::format("### by {}\n\n", comparison.field)
           + (table.empty() ? "No pair of runs differs in that field alone.\n" : table.markdown())
           + markdown_list("Not compared", unpaired) + markdown_list("Concerns", concerns)
           + markdown_list("Measured on", environment_lines(runs))
           + markdown_list("Not measured", limits);
}

std::string experiment_markdown(const Experiment& experiment) {
    std::string text = fmt::format(
        "### {}\n\n{} runs, {}: `{}`\n",
        experiment.label.empty() ? "experiment " + short_id(experiment.uuid) : experiment.label,
        experiment.runs.size(),
        to_string(experiment.state),
        experiment.command_line
    );
    if (!experiment.runs.empty()) {
        text += "\n" + run_table(experiment.runs).markdown();
    }
    text += markdown_list("Notes", run_remarks(experiment.runs));
    text += markdown_list("Measured on", environment_lines(experiment.runs));
    return text + markdown_list("Not measured", limits_of(experiment.runs));
}

} // namespace kvprof::analyzers
