#include "analyzers/render_gate.h"

#include "analyzers/cases.h"
#include "analyzers/change_words.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/evidence_markdown.h"
#include "analyzers/figures.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/render_text.h"
#include "analyzers/run_sections.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace kvprof::analyzers {

namespace {

const Comparison& comparison_of(const GateResult& result, const GatedRow& gated) {
    return result.cases[gated.case_index];
}

/// What the row may change by: "1 %", or "none" where any change counts.
std::string limit_cell(const Delta& row) {
    if (row.metric->kind == MetricKind::exact) {
        return "none";
    }
    const std::string limit = limit_words(row);
    return limit.empty() ? "-" : limit;
}

/// The cells from "metric" on: delta_cells() with the limit after the change.
std::vector<std::string> metric_cells(const Delta& row, Markup markup) {
    std::vector<std::string> cells = delta_cells(row, markup);
    cells.insert(cells.begin() + 4, limit_cell(row));
    return cells;
}

/// The same of a kernel, which has to pass all limits that the policy has of kernels.
std::vector<std::string> kernel_cells(const KernelDelta& kernel, const Policy& policy) {
    const auto& test = kernel.test;
    return {
        "time of a step",
        format_value(Unit::nanoseconds, kernel.base_median),
        format_value(Unit::nanoseconds, kernel.candidate_median),
        test ? change_words(*test, Unit::nanoseconds) : "-",
        limits_words(kernel_limits(policy), Unit::nanoseconds),
        std::string(kernel.verdict ? to_string(*kernel.verdict) : "-"),
        fmt::format("{}+{}", kernel.base_ns.size(), kernel.candidate_ns.size()),
        test && test->detectable
            ? effect_words(*test->detectable, test->is_ratio, Unit::nanoseconds)
            : "-",
        kernel.reason};
}

std::vector<std::string> row_cells(const GateResult& result, const GatedRow& gated, Markup markup) {
    const Comparison& comparison = comparison_of(result, gated);
    std::vector<std::string> cells =
        gated.is_kernel ? kernel_cells(comparison.kernels[gated.row_index], result.policy)
                        : metric_cells(comparison.deltas[gated.row_index], markup);
    constexpr std::size_t kVerdict = 5;
    cells[kVerdict] += gated.accepted ? " (accepted)" : "";
    cells.insert(
        cells.begin(), gated.is_kernel ? code(short_kernel_name(gated.name), markup) : gated.name
    );
    return cells;
}

Table gated_table(const GateResult& result, Markup markup) {
    const bool has_cases = result.cases.size() > 1;
    std::vector<Column> columns{
        {"gated", Align::left, Fit::elided},
        {"metric"},
        {"base", Align::right},
        {"candidate", Align::right},
        {interval_title(named(result.cases)), Align::right},
        {"limit", Align::right},
        {"verdict"},
        {"n"},
        {"would have seen", Align::right},
        {"evidence"}};
    if (has_cases) {
        columns.insert(columns.begin(), {"case", Align::left, Fit::elided});
    }
    Table table(columns);
    for (const GatedRow& gated : result.rows) {
        std::vector<std::string> cells = row_cells(result, gated, markup);
        if (has_cases) {
            cells.insert(cells.begin(), comparison_of(result, gated).cell);
        }
        table.add(std::move(cells));
    }
    return table;
}

std::string acceptance_words(const Acceptance& acceptance) {
    return fmt::format(
        "{}{}",
        acceptance.reason.empty() ? "no reason given" : acceptance.reason,
        acceptance.line > 0 ? fmt::format(" (line {} of the policy)", acceptance.line) : ""
    );
}

std::vector<std::string> acceptance_lines(const GateResult& result) {
    std::vector<std::string> lines;
    for (const GatedRow& gated : result.rows) {
        const std::string& name = comparison_of(result, gated).cell;
        const std::string who =
            (name.empty() ? gated.name : name + ": " + gated.name) + " is accepted ";
        if (gated.accepted) {
            lines.push_back(fmt::format(
                "{}until {}: {}", who, gated.accepted->until, acceptance_words(*gated.accepted)
            ));
        }
        if (gated.expired) {
            lines.push_back(fmt::format(
                "{}no longer, {} has passed: {}",
                who,
                gated.expired->until,
                acceptance_words(*gated.expired)
            ));
        }
    }
    return lines;
}

/// "policy kvprof.toml: step_time, launches are gated; alpha 0.05 (Holm); inconclusive: fail".
std::string describe_policy(const Policy& policy) {
    return fmt::format(
        "policy {}: {} gated; alpha {} (Holm); inconclusive: {}",
        policy.origin.empty() ? "built in" : policy.origin,
        fmt::join(policy.primary, ", "),
        policy.alpha,
        to_string(policy.on_inconclusive)
    );
}

} // namespace

std::string gate_text(const GateResult& result) {
    const std::vector<NamedCase> cases = named(result.cases);
    std::string text = fmt::format("gate: {}\n{}\n", result.line, describe_policy(result.policy));
    text += section_text({"", gated_table(result, Markup::text), {}});
    text += text_block("known regressions", acceptance_lines(result));
    text += text_block("remarks", result.remarks);
    for (const auto& [name, comparison] : cases) {
        text += name.empty() ? "\n" : "\n" + name + "\n";
        text += comparison_body(*comparison);
    }
    return text + text_block("not measured", limits_of(cases));
}

std::string gate_markdown(const GateResult& result) {
    const std::vector<NamedCase> cases = named(result.cases);
    std::string text = fmt::format(
        "### Gate: {}\n\n**{}**\n\n{}. {}.\n",
        to_string(result.verdict),
        result.line,
        cases.empty() ? "no case" : describe_treatments(cases),
        describe_policy(result.policy)
    );
    text += section_markdown({"", gated_table(result, Markup::markdown), {}});
    text += markdown_list("Known regressions", acceptance_lines(result));
    text += markdown_list("Remarks", result.remarks);
    text += remarks_markdown(cases);
    for (const auto& [name, comparison] : cases) {
        const std::string sides = describe_sides(*comparison);
        text += evidence_markdown(*comparison, name.empty() ? sides : name + ": " + sides);
    }
    return text + markdown_list("Not measured", limits_of(cases));
}

} // namespace kvprof::analyzers
