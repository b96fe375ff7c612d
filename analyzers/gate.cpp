#include "analyzers/gate.h"

#include "analyzers/cell_pattern.h"
#include "analyzers/gate_words.h"
#include "analyzers/metric_names.h"
#include "analyzers/profile_windows.h"
#include "analyzers/validity.h"
#include "analyzers/whole_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

constexpr std::string_view kSingleLayout = "single-layout";

std::string at_cell(std::string_view name, const Comparison& one) {
    return one.cell.empty() ? std::string(name) : fmt::format("{} at {}", name, one.cell);
}

/// Whether the row is of what the policy's word stands for.
bool is_of(const GateResult& result, const GatedRow& row, const std::string& name) {
    if (row.is_kernel || name == kKernels) {
        return row.is_kernel && name == kKernels;
    }
    const Comparison& one = result.cases[row.case_index];
    const std::string& id = one.deltas[row.row_index].id;
    const std::vector<std::string> ids = ids_between(result.policy, name, one.base, one.candidate);
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// The verdict of a case from its gated rows and from primary metrics without one, by the rule of
/// compare().
Verdict whole_of(const GateResult& result, std::size_t case_index) {
    const Comparison& one = result.cases[case_index];
    if (is_blocked(one)) {
        return Verdict::not_comparable;
    }
    std::vector<Verdict> verdicts;
    for (const std::string& name : result.policy.primary) {
        const std::size_t before = verdicts.size();
        for (const GatedRow& row : result.rows) {
            if (row.case_index == case_index && is_of(result, row, name)) {
                verdicts.push_back(row_facts(result, row).verdict);
            }
        }
        if (verdicts.size() == before) {
            verdicts.push_back(verdict_without_row(result.policy, name, one.base, one.candidate));
        }
    }
    return worst_of(verdicts);
}

/// Runs of one process share its address layout, which is a cause of noise between runs: their
/// interval is too narrow for a verdict on anything else than that layout.
/// @return whether verdicts were withheld
bool withhold_single_layout(Comparison& one, bool is_allowed, std::vector<std::string>& remarks) {
    if (!shares_a_process(one.base) && !shares_a_process(one.candidate)) {
        return false;
    }
    if (is_allowed) {
        remarks.push_back(at_cell("single-layout: times hold for the layout of one process", one));
        return false;
    }
    const auto withhold = [](std::optional<Verdict>& verdict, std::string& reason) {
        if (verdict && *verdict != Verdict::not_comparable) {
            verdict = Verdict::inconclusive;
            reason = kSingleLayout;
        }
    };
    for (Delta& row : one.deltas) {
        if (row.is_primary && row.test) {
            withhold(row.verdict, row.reason);
        }
    }
    for (KernelDelta& kernel : one.kernels) {
        withhold(kernel.verdict, kernel.reason);
    }
    return true;
}

/// The rows of one case that the policy's word means. @return whether there are any
bool add_rows(GateResult& result, std::size_t case_index, const std::string& name) {
    const Comparison& one = result.cases[case_index];
    const std::size_t before = result.rows.size();
    if (name == kKernels) {
        for (std::size_t i = 0; i < one.kernels.size(); ++i) {
            if (one.kernels[i].verdict) {
                result.rows.push_back(
                    {.case_index = case_index,
                     .row_index = i,
                     .is_kernel = true,
                     .name = one.kernels[i].name}
                );
            }
        }
        return result.rows.size() > before;
    }
    const auto is_listed = [&](const GatedRow& row) { // under an id and the word for it
        return row.case_index == case_index && is_of(result, row, name);
    };
    if (std::any_of(result.rows.begin(), result.rows.end(), is_listed)) {
        return true;
    }
    const std::vector<std::string> ids = ids_between(result.policy, name, one.base, one.candidate);
    for (std::size_t i = 0; i < one.deltas.size(); ++i) {
        if (std::find(ids.begin(), ids.end(), one.deltas[i].id) != ids.end()) {
            result.rows.push_back({.case_index = case_index, .row_index = i, .name = name});
        }
    }
    return result.rows.size() > before;
}

/// All rows of one case; names what nobody measured.
void add_case(GateResult& result, std::size_t case_index) {
    for (const std::string& name : result.policy.primary) {
        if (add_rows(result, case_index, name)) {
            continue;
        }
        const Comparison& one = result.cases[case_index];
        if (verdict_without_row(result.policy, name, one.base, one.candidate) != Verdict::same) {
            result.missing.push_back(at_cell(name, one) + " not-measured");
        }
    }
}

void find_acceptance(GateResult& result, GatedRow& row, std::string_view today) {
    const Side& side = result.cases[row.case_index].candidate;
    const std::vector<Param> params = params_of(side.step, side.measure);
    for (const Acceptance& known : result.policy.accepted) {
        if (!is_of(result, row, known.metric) || !fits(parse_cell_pattern(known.cell), params)) {
            continue;
        }
        if (known.until >= today) {
            row.accepted = known;
            row.expired.reset();
            return;
        }
        row.expired = known;
    }
}

void accept_known(GateResult& result, std::string_view today) {
    for (GatedRow& row : result.rows) {
        if (row_facts(result, row).verdict == Verdict::regressed) {
            find_acceptance(result, row, today);
        }
    }
}

/// Why nothing is compared: "device-name: A -> B".
std::string mismatch_words(const GateResult& result) {
    for (const Comparison& one : result.cases) {
        if (is_blocked(one)) {
            const std::string& text = one.concerns.front().text; // the most severe
            return one.cell.empty() ? text : fmt::format("{}: {}", one.cell, text);
        }
    }
    return {};
}

/// What decides, in the words of the last line: the first, and how many more.
std::string words_of(const std::vector<std::string>& rows) {
    return rows.size() < 2 ? rows.front()
                           : fmt::format("{}; {} more", rows.front(), rows.size() - 1);
}

/// The words of the rows of one verdict, without regressions that are accepted.
std::vector<std::string> rows_with(const GateResult& result, Verdict verdict) {
    std::vector<std::string> rows;
    for (const GatedRow& row : result.rows) {
        const RowFacts facts = row_facts(result, row);
        if (facts.verdict == verdict && !row.accepted) {
            rows.push_back(row_words(facts));
        }
    }
    return rows;
}

ExitCode code_of(Verdict verdict, OnInconclusive answer) {
    switch (verdict) {
    case Verdict::not_comparable: return ExitCode::not_comparable;
    case Verdict::regressed: return ExitCode::difference;
    case Verdict::inconclusive:
        return answer == OnInconclusive::fail ? ExitCode::inconclusive : ExitCode::done;
    case Verdict::improved:
    case Verdict::same: break;
    }
    return ExitCode::done;
}

/// When no row says anything: each is 0 on both sides, or a regression that is accepted.
std::string quiet_words(const GateResult& result) {
    const bool is_accepted =
        std::any_of(result.rows.begin(), result.rows.end(), [](const GatedRow& row) {
            return row.accepted.has_value();
        });
    return is_accepted ? "every regression is accepted" : "every primary metric is 0 on both sides";
}

/// Sets verdict, code and line.
void decide(GateResult& result) {
    std::vector<std::string> words;
    if (std::string mismatch = mismatch_words(result); !mismatch.empty()) {
        words.push_back(std::move(mismatch));
        result.verdict = Verdict::not_comparable;
    }
    for (const Verdict verdict :
         {Verdict::not_comparable,
          Verdict::regressed,
          Verdict::inconclusive,
          Verdict::improved,
          Verdict::same}) {
        if (!words.empty()) {
            break;
        }
        words = rows_with(result, verdict);
        if (verdict == Verdict::inconclusive) {
            words.insert(words.end(), result.missing.begin(), result.missing.end());
        }
        result.verdict = verdict;
    }
    result.code = code_of(result.verdict, result.policy.on_inconclusive);
    result.line = fmt::format(
        "{} ({}): {}",
        to_string(result.verdict),
        static_cast<int>(result.code),
        words.empty() ? quiet_words(result) : words_of(words)
    );
}

/// The row of the second measurement that stands for the same.
const GatedRow*
counterpart(const GateResult& first, const GatedRow& row, const GateResult& second) {
    const Comparison& one = first.cases[row.case_index];
    const auto found =
        std::find_if(second.rows.begin(), second.rows.end(), [&](const GatedRow& other) {
            const Comparison& again = second.cases[other.case_index];
            if (again.cell != one.cell || other.is_kernel != row.is_kernel) {
                return false;
            }
            if (!row.is_kernel) {
                return again.deltas[other.row_index].id == one.deltas[row.row_index].id;
            }
            const KernelDelta& a = one.kernels[row.row_index];
            const KernelDelta& b = again.kernels[other.row_index];
            return a.op == b.op && a.placement == b.placement && a.name == b.name;
        });
    return found == second.rows.end() ? nullptr : &*found;
}

/// A regression that the second measurement does not show is not one.
void confirm_row(GateResult& first, const GatedRow& row, const GateResult& second) {
    const GatedRow* const other = counterpart(first, row, second);
    const RowFacts before = row_facts(first, row);
    const std::string again =
        other == nullptr ? "not-measured" : row_words(row_facts(second, *other));
    if (other != nullptr && row_facts(second, *other).verdict == Verdict::regressed) {
        first.remarks.push_back(fmt::format("measured a second time: {}", again));
        return;
    }
    first.remarks.push_back(
        fmt::format("not-confirmed: {} at first, {} the second time", row_words(before), again)
    );
    Comparison& one = first.cases[row.case_index];
    if (row.is_kernel) {
        one.kernels[row.row_index].verdict = Verdict::inconclusive;
        one.kernels[row.row_index].reason = "not-confirmed";
    } else {
        one.deltas[row.row_index].verdict = Verdict::inconclusive;
        one.deltas[row.row_index].reason = "not-confirmed";
        one.deltas[row.row_index].is_confirmed = false;
    }
    one.verdict = whole_of(first, row.case_index);
}

} // namespace

GateResult gate_of(
    std::vector<Comparison> cases,
    const Policy& policy,
    std::string_view today,
    bool allows_single_layout
) {
    GateResult result{.policy = policy, .cases = std::move(cases)};
    for (std::size_t i = 0; i < result.cases.size(); ++i) {
        const bool is_withheld =
            withhold_single_layout(result.cases[i], allows_single_layout, result.remarks);
        add_case(result, i);
        if (is_withheld) {
            result.cases[i].verdict = whole_of(result, i);
        }
    }
    if (result.cases.empty()) {
        result.missing.emplace_back("there is no case to compare");
    }
    accept_known(result, today);
    for (const GatedRow& row : result.rows) {
        for (const auto words_of_row : {noise_words, power_words}) {
            if (std::string words = words_of_row(row_facts(result, row)); !words.empty()) {
                result.remarks.push_back(std::move(words));
            }
        }
    }
    decide(result);
    result.remarks.insert(result.remarks.end(), result.missing.begin(), result.missing.end());
    if (result.verdict == Verdict::inconclusive && policy.on_inconclusive == OnInconclusive::warn) {
        result.remarks.emplace_back("inconclusive is no failure here: on_inconclusive = \"warn\"");
    }
    return result;
}

GateResult confirmed(GateResult first, const GateResult& second) {
    if (first.verdict != Verdict::regressed) {
        return first;
    }
    if (second.verdict == Verdict::not_comparable) {
        first.remarks.push_back(fmt::format("the first measurement said {}", first.line));
        first.verdict = second.verdict;
        first.code = second.code;
        first.line = second.line;
        return first;
    }
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
        const GatedRow row = first.rows[i];
        if (row_facts(first, row).verdict == Verdict::regressed && !row.accepted) {
            confirm_row(first, row, second);
        }
    }
    decide(first);
    return first;
}

} // namespace kvprof::analyzers
