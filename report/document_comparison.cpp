#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/profile_sections.h"
#include "capture/model/params.h"
#include "report/document_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Cell;
using analyzers::Column;
using analyzers::Comparison;
using analyzers::Delta;
using analyzers::NamedCase;
using analyzers::Section;

void add_new(std::vector<std::string>& lines, std::string line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
        lines.push_back(std::move(line));
    }
}

std::string title_of(const std::vector<NamedCase>& cases, const std::string& by) {
    if (cases.empty()) {
        return by.empty() ? "no case was compared"
                          : fmt::format("no pair of runs differs in {} alone", by);
    }
    const std::string changes = analyzers::describe_treatments(cases);
    const bool is_lone = cases.size() == 1 && !cases.front().name.empty();
    return is_lone ? cases.front().name + ": " + changes : changes;
}

std::string value_of(const std::vector<Param>& params, std::string_view name) {
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& param) {
        return param.name == name;
    });
    return found == params.end() ? std::string() : found->value;
}

/// "NVIDIA H200; kimi-linear-48b, batch 64, seq-len 8224, page-size 1": what all runs share of it.
std::string workload_of(const std::vector<NamedCase>& cases) {
    constexpr std::array kFields{"preset", "batch", "seq-len", "page-size", "op"};
    std::vector<std::string> device;
    std::array<std::vector<std::string>, kFields.size()> values;
    for (const NamedCase& each : cases) {
        if (analyzers::compares_profiles(*each.comparison)) {
            return fmt::format(
                "{} -> {}",
                analyzers::describe_profile(each.comparison->base.runs.front()),
                analyzers::describe_profile(each.comparison->candidate.runs.front())
            );
        }
        for (const analyzers::Side* side : {&each.comparison->base, &each.comparison->candidate}) {
            std::vector<Param> params = to_params(side->step);
            for (Param& param : to_params(side->measure)) {
                params.push_back(std::move(param));
            }
            for (std::size_t i = 0; i < kFields.size(); ++i) {
                add_new(values[i], value_of(params, kFields[i]));
            }
            for (const Run& run : side->runs) {
                add_new(device, run.environment.device_name);
            }
        }
    }
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (values[i].size() == 1 && !values[i].front().empty()) {
            words.push_back(
                i == 0 ? values[i].front() : fmt::format("{} {}", kFields[i], values[i].front())
            );
        }
    }
    const std::string name = device.size() == 1 ? device.front() : std::string();
    return fmt::format(
        "{}{}{}", name, name.empty() || words.empty() ? "" : "; ", fmt::join(words, ", ")
    );
}

/// What was measured and how, and how rows are counted; what all cases share.
std::vector<std::string> lead_of(const std::vector<NamedCase>& cases) {
    std::vector<std::string> sides;
    for (const NamedCase& each : cases) {
        add_new(sides, analyzers::describe_sides(*each.comparison));
    }
    std::vector<std::string> lead;
    if (std::string workload = workload_of(cases); !workload.empty()) {
        lead.push_back(std::move(workload));
    }
    if (sides.size() == 1) {
        lead.push_back(sides.front());
    }
    if (cases.size() == 1) {
        lead.push_back("rows: " + analyzers::describe_counts(*cases.front().comparison));
    }
    return lead;
}

/// The rows that decide, of all cases in one table.
Part add_primary_rows(
    Document& document, const Judged& judged, const std::vector<NamedCase>& cases
) {
    const bool has_cases = cases.size() > 1;
    std::vector<Column> columns = analyzers::delta_columns(analyzers::interval_title(cases));
    if (has_cases && !judged.by.empty()) {
        columns.insert(columns.begin(), {judged.by});
    }
    if (has_cases) {
        columns.insert(columns.begin(), {"case", analyzers::Align::left, analyzers::Fit::elided});
    }
    std::vector<DecidingRow> rows;
    for (const auto& [name, comparison] : cases) {
        for (const Delta* row : analyzers::shown_rows(*comparison).primary) {
            std::vector<Cell> cells = analyzers::delta_cells(*row);
            if (has_cases && !judged.by.empty()) {
                cells.insert(cells.begin(), analyzers::first_change(*comparison));
            }
            if (has_cases) {
                cells.insert(cells.begin(), name.empty() ? "-" : name);
            }
            rows.push_back(
                {row->verdict.value_or(analyzers::Verdict::inconclusive), std::move(cells)}
            );
        }
    }
    return add_deciding_rows(document, columns, std::move(rows), "primary rows");
}

void add_verdict(Document& document, const Judged& judged, const std::vector<NamedCase>& cases) {
    if (cases.empty()) {
        return;
    }
    document.verdict = to_string(analyzers::verdict_of(judged.gate.cases));
    document.reasons = cases.size() == 1
                           ? analyzers::verdict_reasons(*cases.front().comparison)
                           : std::vector{analyzers::describe_cases(judged.gate.cases)};
}

/// One line a case.
Part overview_part(const Judged& judged, const std::vector<NamedCase>& cases) {
    return {
        fmt::format("{} cases", cases.size()),
        Weight::detail,
        {{"", analyzers::overview_table(cases, judged.by), {}}}};
}

Section unpaired_section(const Judged& judged) {
    Section section{"not compared", std::nullopt, {}};
    for (const analyzers::Unpaired& variant : judged.unpaired) {
        section.lines.push_back(fmt::format("{}: {}", variant.variant, variant.reason));
    }
    return section;
}

} // namespace

Part add_deciding_rows(
    Document& document,
    const std::vector<Column>& columns,
    std::vector<DecidingRow> rows,
    const std::string& name
) {
    const bool is_long = rows.size() > kRowsOnPage;
    if (is_long) {
        std::stable_partition(rows.begin(), rows.end(), [](const DecidingRow& row) {
            return row.verdict != analyzers::Verdict::same;
        });
    }
    Section page{"", analyzers::Table(columns), {}};
    Section further{"", analyzers::Table(columns), {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        (i < kRowsOnPage ? page : further).table->add(std::move(rows[i].cells));
    }
    if (is_long) {
        page.lines.push_back(
            fmt::format("{} more are below: further {}", rows.size() - kRowsOnPage, name)
        );
    }
    document.parts.push_back({"", Weight::body, {std::move(page)}});
    return {"further " + name, Weight::detail, {std::move(further)}};
}

Document document_of(const Judged& judged, const Recipe& recipe) {
    const std::vector<NamedCase> cases = analyzers::named(judged.gate.cases);
    Document document;
    document.title = title_of(cases, judged.by);
    document.lead = lead_of(cases);
    if (!recipe.is_gate) {
        add_verdict(document, judged, cases);
    }
    Part further = recipe.is_gate ? add_gate(document, judged.gate)
                                  : add_primary_rows(document, judged, cases);
    if (cases.size() == 1) {
        const std::string line = analyzers::ledger_line(*cases.front().comparison);
        document.parts.front().sections.push_back(
            {"", std::nullopt, line.empty() ? std::vector<std::string>{} : std::vector{line}}
        );
    }
    for (const NamedCase& each : cases) {
        if (analyzers::compares_profiles(*each.comparison)) {
            document.parts.push_back(
                {each.name, Weight::body, analyzers::profile_comparison_sections(*each.comparison)}
            );
        }
    }
    document.parts.push_back(remarks_part(cases));
    document.parts.push_back({"", Weight::body, {unpaired_section(judged)}});
    if (cases.size() > 1 && !further.sections.front().empty()) {
        document.parts.push_back(overview_part(judged, cases));
    }
    document.parts.push_back(std::move(further));
    if (cases.size() == 1) {
        add_evidence(document, *cases.front().comparison, judged);
    } else {
        for (const NamedCase& each : cases) {
            document.parts.push_back(case_part(each, judged, document.title));
        }
        document.parts.push_back({"how it was measured", Weight::detail, origin_sections(judged)});
    }
    document.not_measured = analyzers::limits_of(cases);
    return document;
}

} // namespace kvprof::report
