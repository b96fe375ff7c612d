#include "report/judged.h"

#include "analyzers/cases.h"
#include "analyzers/compare_words.h"
#include "analyzers/gate_words.h"
#include "analyzers/metric_names.h"
#include "analyzers/profile_windows.h"
#include "analyzers/whole_verdict.h"
#include "capture/model/error.h"
#include "report/clean_text.h"
#include "report/unique_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::report {

using analyzers::Comparison;
using analyzers::GatedRow;
using analyzers::GateResult;

namespace {

/// Whether the row is of what a word of the policy stands for.
bool is_of(const GateResult& gate, const GatedRow& row, const std::string& word) {
    if (row.is_kernel || word == analyzers::kKernels) {
        return row.is_kernel && word == analyzers::kKernels;
    }
    const Comparison& one = gate.cases[row.case_index];
    const std::string& id = one.deltas[row.row_index].id;
    const std::vector<std::string> ids =
        analyzers::ids_between(gate.policy, word, one.base, one.candidate);
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string change_in(const Comparison& comparison) {
    if (comparison.spec_changes.empty()) {
        return {};
    }
    const analyzers::SpecChange& change = comparison.spec_changes.front();
    return fmt::format("{}={}->{}", change.name, change.base, change.candidate);
}

} // namespace

const Judged& judged_of(const Report& report) {
    if (const auto* const judged = std::get_if<Judged>(&report.subject)) {
        return *judged;
    }
    throw UsageError(
        fmt::format(
            "could not write {} of {}: nothing is judged",
            to_string(report.recipe.format),
            std::holds_alternative<Run>(report.subject) ? "a run" : "an experiment"
        ),
        "compare two sides (kvprof report BASE CANDIDATE), or choose a form that lists figures: "
        "md, "
        "json, csv, openmetrics, gbench, bmf, benchstat"
    );
}

Answer answer_of(const Report& report, const Judged& judged) {
    const GateResult& gate = judged.gate;
    if (report.recipe.is_gate) {
        return {gate.verdict, gate.code};
    }
    return {analyzers::verdict_of(gate.cases), gate.code};
}

std::vector<std::string> case_names(const Judged& judged) {
    std::vector<std::string> names;
    const std::vector<Comparison>& cases = judged.gate.cases;
    for (const Comparison& one : cases) {
        const bool is_shared = std::count_if(
                                   cases.begin(),
                                   cases.end(),
                                   [&](const Comparison& all) { return all.cell == one.cell; }
                               )
                               > 1;
        const std::string change = is_shared ? change_in(one) : std::string();
        names.push_back(
            valid_utf8(one.cell + (one.cell.empty() || change.empty() ? "" : " ") + change)
        );
    }
    return unique_names(std::move(names));
}

std::string words_without_name(const GateResult& gate, std::size_t row) {
    const analyzers::RowFacts facts = analyzers::row_facts(gate, gate.rows[row]);
    std::string words = analyzers::row_words(facts);
    if (words.starts_with(facts.name)) {
        words.erase(0, facts.name.size());
        words.erase(0, std::min(words.find_first_not_of(": "), words.size()));
    }
    return words;
}

std::vector<std::string> missing_in(const GateResult& gate, std::size_t case_index) {
    const Comparison& one = gate.cases[case_index];
    std::vector<std::string> words;
    for (const std::string& word : gate.policy.primary) {
        const bool has_row =
            std::any_of(gate.rows.begin(), gate.rows.end(), [&](const GatedRow& row) {
                return row.case_index == case_index && is_of(gate, row, word);
            });
        if (!has_row
            && analyzers::verdict_without_row(gate.policy, word, one.base, one.candidate)
                   != analyzers::Verdict::same) {
            words.push_back(word);
        }
    }
    return words;
}

std::string blocked_by(const Comparison& comparison) {
    const std::vector<std::string> texts = analyzers::blocking_texts(comparison);
    return texts.empty() ? std::string() : texts.front();
}

std::string newest_start(const std::vector<const Run*>& runs) {
    std::string newest;
    for (const Run* run : runs) {
        newest = std::max(newest, run->started_at); // of one form, so in the order of time
    }
    return newest;
}

} // namespace kvprof::report
