#include "analyzers/render_markdown.h"

#include "analyzers/cases.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/evidence_markdown.h"
#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/markdown_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kvprof::analyzers {

namespace {

/// The rows that decide, of all cases in one table.
Table case_table(const std::vector<NamedCase>& cases) {
    std::vector<Column> columns = delta_columns(interval_title(cases));
    columns.insert(columns.begin(), {"case"});
    Table table(columns);
    for (const auto& [name, comparison] : cases) {
        for (const Delta* row : shown_rows(*comparison).primary) {
            std::vector<std::string> cells = delta_cells(*row, Markup::markdown);
            cells.insert(cells.begin(), name.empty() ? "-" : name);
            table.add(std::move(cells));
        }
    }
    return table;
}

/// The judged rows of a cell; those that only explain would fill a page.
void add_cell_rows(const NamedCase& cell, Table& table) {
    const ShownRows rows = shown_rows(*cell.comparison);
    for (const auto* list : {&rows.primary, &rows.judged}) {
        for (const Delta* row : *list) {
            std::vector<std::string> cells = delta_cells(*row, Markup::markdown);
            cells.insert(
                cells.begin(), {cell.name.empty() ? "-" : cell.name, first_change(*cell.comparison)}
            );
            table.add(std::move(cells));
        }
    }
}

std::string sentence(std::string text) {
    return text.empty() ? text : text + ".";
}

} // namespace

std::string comparison_markdown(const Comparison& comparison) {
    const std::string reasons = fmt::format("{}", fmt::join(verdict_reasons(comparison), "; "));
    std::string text = fmt::format(
        "### {}\n\n**Verdict: {}.** {}\n\n{}. Rows: {}.\n",
        describe_changes(comparison),
        to_string(comparison.verdict),
        sentence(reasons),
        describe_sides(comparison),
        describe_counts(comparison)
    );
    text += section_markdown(primary_section(comparison, Markup::markdown));
    if (const std::string line = ledger_line(comparison); !line.empty()) {
        text += "\n" + line + ".\n";
    }
    text += remarks_markdown({{"", &comparison}});
    text += evidence_markdown(comparison, "");
    return text + markdown_list("Not measured", comparison.not_measured);
}

std::string cases_markdown(const std::vector<Comparison>& cases) {
    if (cases.size() == 1) {
        return comparison_markdown(cases.front());
    }
    const std::vector<NamedCase> list = named(cases);
    std::string text = fmt::format(
        "### {}\n\n**Verdict: {}.** {}.\n\n",
        cases.empty() ? "no case" : describe_treatments(list),
        to_string(verdict_of(cases)),
        describe_cases(cases)
    );
    text += case_table(list).markdown() + remarks_markdown(list);
    for (const auto& [name, comparison] : list) {
        text += evidence_markdown(
            *comparison, fmt::format("{}: {}", name, describe_sides(*comparison))
        );
    }
    return text + markdown_list("Not measured", limits_of(list));
}

std::string pairs_markdown(const PairedComparison& comparison) {
    const std::vector<NamedCase> list = named(comparison);
    std::vector<Column> columns = delta_columns(interval_title(list));
    columns.insert(columns.begin(), {{"case"}, {comparison.field}});
    Table table(columns);
    for (const NamedCase& cell : list) {
        add_cell_rows(cell, table);
    }
    std::vector<std::string> unpaired;
    for (const Unpaired& variant : comparison.unpaired) {
        unpaired.push_back(fmt::format("{}: {}", variant.variant, variant.reason));
    }
    return fmt::format("### by {}\n\n", comparison.field)
           + (table.empty() ? "No pair of runs differs in that field alone.\n" : table.markdown())
           + remarks_markdown(list) + markdown_list("Not compared", unpaired)
           + markdown_list("Measured on", environment_lines(runs_of(list)))
           + markdown_list("Not measured", limits_of(list));
}

std::string experiment_markdown(const Experiment& experiment) {
    const std::string kind(
        experiment.kind == ExperimentKind::matrix ? "" : to_string(experiment.kind)
    );
    std::string text = fmt::format(
        "### {}\n\n{}{}: {}, by `{}`\n",
        experiment.label.empty() ? "experiment " + short_id(experiment.uuid) : experiment.label,
        kind.empty() ? "" : kind + ", ",
        to_string(experiment.state),
        describe_runs(experiment.runs),
        experiment.command_line
    );
    text += experiment.ab ? "\n" + describe_design(*experiment.ab) + "\n" : "";
    if (!experiment.runs.empty()) {
        text += "\n" + run_table(experiment.runs).markdown();
    }
    text += markdown_list("Notes", run_remarks(experiment.runs));
    text += markdown_list("Measured on", environment_lines(experiment.runs));
    return text + markdown_list("Not measured", limits_of(experiment.runs));
}

} // namespace kvprof::analyzers
