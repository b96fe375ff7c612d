#include "analyzers/change_words.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/run_sections.h"
#include "report/document_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Cell;
using analyzers::Column;
using analyzers::Comparison;
using analyzers::Delta;
using analyzers::GatedRow;
using analyzers::GateResult;
using analyzers::KernelDelta;
using analyzers::Unit;
using analyzers::Verdict;

const Comparison& comparison_of(const GateResult& result, const GatedRow& gated) {
    return result.cases[gated.case_index];
}

/// What the row may change by: "1 %", or "none" where any change counts.
std::string limit_cell(const Delta& row) {
    const std::string limit = analyzers::limit_words(row);
    const bool is_exact = row.metric->kind == analyzers::MetricKind::exact;
    return !limit.empty() ? limit : is_exact ? "none" : "-";
}

/// The cells from "metric" on: delta_cells() with the limit after the change.
std::vector<Cell> metric_cells(const Delta& row) {
    std::vector<Cell> cells = analyzers::delta_cells(row);
    cells.insert(cells.begin() + 4, limit_cell(row));
    return cells;
}

/// The same of a kernel, which has to pass all limits that the policy has of kernels.
std::vector<Cell> kernel_cells(const KernelDelta& kernel, const analyzers::Policy& policy) {
    const auto& test = kernel.test;
    return {
        "time of a step",
        analyzers::format_value(Unit::nanoseconds, kernel.base_median),
        analyzers::format_value(Unit::nanoseconds, kernel.candidate_median),
        test ? analyzers::change_words(*test, Unit::nanoseconds) : "-",
        analyzers::limits_words(kernel_limits(policy), Unit::nanoseconds),
        std::string(kernel.verdict ? to_string(*kernel.verdict) : "-"),
        fmt::format("{}+{}", kernel.base_ns.size(), kernel.candidate_ns.size()),
        test && test->detectable
            ? analyzers::effect_words(*test->detectable, test->is_ratio, Unit::nanoseconds)
            : "-",
        kernel.reason};
}

DecidingRow gated_row(const GateResult& result, const GatedRow& gated) {
    const Comparison& comparison = comparison_of(result, gated);
    const std::optional<Verdict> verdict = gated.is_kernel
                                               ? comparison.kernels[gated.row_index].verdict
                                               : comparison.deltas[gated.row_index].verdict;
    std::vector<Cell> cells = gated.is_kernel
                                  ? kernel_cells(comparison.kernels[gated.row_index], result.policy)
                                  : metric_cells(comparison.deltas[gated.row_index]);
    constexpr std::size_t kVerdict = 5;
    cells[kVerdict].text += gated.accepted ? " (accepted)" : "";
    cells.insert(
        cells.begin(),
        gated.is_kernel ? Cell::code(analyzers::short_kernel_name(gated.name)) : Cell(gated.name)
    );
    if (result.cases.size() > 1) {
        cells.insert(cells.begin(), comparison.cell);
    }
    return {verdict.value_or(Verdict::inconclusive), std::move(cells)};
}

std::vector<Column> gated_columns(const GateResult& result) {
    std::vector<Column> columns{
        {"gated", Align::left, analyzers::Fit::elided},
        {"metric"},
        {"base", Align::right},
        {"candidate", Align::right},
        {analyzers::interval_title(analyzers::named(result.cases)), Align::right},
        {"limit", Align::right},
        {"verdict"},
        {"n"},
        {"would have seen", Align::right},
        {"evidence"}};
    if (result.cases.size() > 1) {
        columns.insert(columns.begin(), {"case", Align::left, analyzers::Fit::elided});
    }
    return columns;
}

std::string acceptance_words(const analyzers::Acceptance& acceptance) {
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

} // namespace

std::string describe_policy(const analyzers::Policy& policy, bool is_gate) {
    const std::string words = fmt::format(
        "policy {}: {} {}; alpha {} (Holm)",
        policy.origin.empty() ? "built in" : policy.origin,
        fmt::join(policy.primary, ", "),
        is_gate ? "gated" : "decide",
        policy.alpha
    );
    return is_gate ? fmt::format("{}; inconclusive: {}", words, to_string(policy.on_inconclusive))
                   : words;
}

Part add_gate(Document& document, const GateResult& result) {
    // "regressed (1): step_time +1.49% [+1.41, +1.57] > 1%"
    const std::size_t colon = result.line.find("): ");
    const std::size_t verdict = colon == std::string::npos ? result.line.size() : colon + 1;
    document.judge = "gate";
    document.verdict = result.line.substr(0, verdict);
    if (colon != std::string::npos) {
        document.reasons = {result.line.substr(colon + 3)};
    }
    document.lead.push_back(describe_policy(result.policy, true));
    std::vector<DecidingRow> rows;
    for (const GatedRow& gated : result.rows) {
        rows.push_back(gated_row(result, gated));
    }
    Part further =
        add_deciding_rows(document, gated_columns(result), std::move(rows), "gated rows");
    document.parts.push_back(
        {"",
         Weight::body,
         {{"known regressions", std::nullopt, acceptance_lines(result)},
          {"remarks", std::nullopt, result.remarks}}}
    );
    return further;
}

} // namespace kvprof::report
