#include "analyzers/cases.h"

#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/whole_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace kvprof::analyzers {

namespace {

/// The first row with one of these ids; null when there is none.
const Delta* row_of(const Comparison& comparison, std::initializer_list<std::string_view> ids) {
    const auto found =
        std::find_if(comparison.deltas.begin(), comparison.deltas.end(), [&](const Delta& row) {
            return std::find(ids.begin(), ids.end(), row.id) != ids.end();
        });
    return found == comparison.deltas.end() ? nullptr : &*found;
}

std::string both_cells(const Delta* row) {
    return row == nullptr ? std::string("-")
                          : fmt::format(
                              "{} -> {}",
                              side_cell(row->base, *row->metric),
                              side_cell(row->candidate, *row->metric)
                          );
}

void add_new(std::vector<std::string>& lines, const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
        lines.push_back(line);
    }
}

} // namespace

std::vector<NamedCase> named(const std::vector<Comparison>& cases) {
    std::vector<NamedCase> list;
    for (const Comparison& comparison : cases) {
        list.push_back({comparison.cell, &comparison});
    }
    return list;
}

std::vector<NamedCase> named(const PairedComparison& pairs) {
    std::vector<NamedCase> list;
    for (const PairedComparison::Cell& cell : pairs.cells) {
        list.push_back({cell.cell, &cell.comparison});
    }
    return list;
}

std::string first_change(const Comparison& comparison) {
    if (comparison.spec_changes.empty()) {
        return "-";
    }
    const SpecChange& change = comparison.spec_changes.front();
    return fmt::format("{} -> {}", change.base, change.candidate);
}

std::string interval_title(const std::vector<NamedCase>& cases) {
    return cases.empty() ? interval_title(Comparison{}) : interval_title(*cases.front().comparison);
}

Table overview_table(const std::vector<NamedCase>& cases, const std::string& field) {
    std::vector<Column> columns{
        {"case", Align::left, Fit::elided},
        {"gpu_time", Align::right},
        {interval_title(cases), Align::right},
        {"launches", Align::right},
        {"graph bytes (ledger)", Align::right},
        {"verdict"}};
    if (!field.empty()) {
        columns.insert(columns.begin() + 1, {field});
    }
    Table table(columns);
    for (const auto& [name, comparison] : cases) {
        const Delta* const time = row_of(*comparison, {"step.gpu_time", "op.gpu_time"});
        std::vector<Cell> cells{
            name.empty() ? "-" : name,
            both_cells(time),
            time == nullptr ? "-" : change_cell(*time),
            both_cells(row_of(*comparison, {"step.launches"})),
            both_cells(row_of(*comparison, {"ledger.graph.bytes"})),
            std::string(to_string(comparison->verdict))};
        if (!field.empty()) {
            cells.insert(cells.begin() + 1, first_change(*comparison));
        }
        table.add(std::move(cells));
    }
    return table;
}

Verdict verdict_of(const std::vector<Comparison>& cases) {
    std::vector<Verdict> verdicts;
    for (const Comparison& each : cases) {
        verdicts.push_back(each.verdict);
    }
    return cases.empty() ? Verdict::inconclusive : worst_of(verdicts);
}

std::string describe_cases(const std::vector<Comparison>& cases) {
    std::vector<std::string> counts;
    for (const auto& [verdict, name] : EnumNames<Verdict>::values) {
        const auto count =
            std::count_if(cases.begin(), cases.end(), [wanted = verdict](const Comparison& each) {
                return each.verdict == wanted;
            });
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", count, name));
        }
    }
    return fmt::format("{} cases: {}", cases.size(), fmt::join(counts, ", "));
}

ExitCode exit_code_of(const std::vector<Comparison>& cases) {
    ExitCode code = cases.empty() ? ExitCode::not_comparable : ExitCode::done;
    for (const Comparison& comparison : cases) {
        code = std::max(code, exit_code_of(comparison));
    }
    return code;
}

std::vector<std::string> limits_of(const std::vector<NamedCase>& cases) {
    std::vector<std::string> limits;
    for (const NamedCase& each : cases) {
        for (const std::string& limit : each.comparison->not_measured) {
            add_new(limits, limit);
        }
    }
    return limits;
}

std::vector<Run> runs_of(const std::vector<NamedCase>& cases) {
    std::vector<Run> runs;
    for (const NamedCase& each : cases) {
        for (const Side* side : {&each.comparison->base, &each.comparison->candidate}) {
            runs.insert(runs.end(), side->runs.begin(), side->runs.end());
        }
    }
    return runs;
}

std::string describe_treatments(const std::vector<NamedCase>& cases) {
    std::vector<std::string> treatments;
    for (const NamedCase& each : cases) {
        add_new(treatments, describe_changes(*each.comparison));
    }
    return fmt::format("{}", fmt::join(treatments, "; "));
}

} // namespace kvprof::analyzers
