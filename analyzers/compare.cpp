#include "analyzers/compare.h"

#include "analyzers/case_facts.h"
#include "analyzers/change_words.h"
#include "analyzers/compare_rows.h"
#include "analyzers/compare_words.h"
#include "analyzers/controls.h"
#include "analyzers/families.h"
#include "analyzers/judge_kernel.h"
#include "analyzers/judge_row.h"
#include "analyzers/kernel_deltas.h"
#include "analyzers/metric_names.h"
#include "analyzers/profile_sections.h"
#include "analyzers/profile_windows.h"
#include "analyzers/validity.h"
#include "analyzers/whole_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// A case while it is judged.
struct Work {
    Comparison comparison; ///< all but its rows
    std::vector<Row> rows;
    CaseFacts facts; ///< of the comparison's sides
};

/// "device-name, batch": empty when nothing forbids the comparison.
std::string forbidden_by(const std::vector<Concern>& concerns) {
    std::vector<std::string> fields;
    for (const Concern& concern : concerns) {
        if (concern.severity == Severity::blocks) {
            fields.push_back(concern.field);
        }
    }
    return fmt::format("{}", fmt::join(fields, ", "));
}

void check(Work& work, const CompareOptions& how) {
    Comparison& comparison = work.comparison;
    comparison.spec_changes = changes_between(
        params_of(comparison.base.step, comparison.base.measure),
        params_of(comparison.candidate.step, comparison.candidate.measure)
    );
    Comparability found = comparability(
        comparison.base,
        comparison.candidate,
        {.treatment = how.treatment,
         .allowed_mismatch = how.allowed_mismatch,
         .is_strict_env = how.is_strict_env,
         .is_stored_baseline = how.is_stored_baseline}
    );
    comparison.concerns = std::move(found.concerns);
    comparison.treatment = std::move(found.treatment);
    comparison.stamps = std::move(found.stamps);
    if (shares_a_process(comparison.base) || shares_a_process(comparison.candidate)) {
        comparison.stamps.emplace_back(
            "single-layout: runs shared one process, so times are of its layout alone"
        );
    }
}

/// @param work at its final place: the facts look at its sides
void begin(Work& work, const Case& pair, const CompareOptions& how) {
    Comparison& comparison = work.comparison;
    comparison.cell = pair.cell;
    comparison.base = pair.base;
    comparison.candidate = pair.candidate;
    check(work, how);
    work.facts = facts_of(comparison.base, comparison.candidate, how);
    work.facts.forbidden_by = forbidden_by(comparison.concerns);
    comparison.alpha = work.facts.alpha;
    comparison.interval_level = 1.0 - work.facts.interval_alpha;
    comparison.is_interleaved = how.is_interleaved && !how.is_stored_baseline;
    work.rows = rows_of(comparison.base, comparison.candidate);
    for (Row& row : work.rows) {
        prepare(row, work.facts);
    }
    comparison.kernels =
        kernel_deltas(comparison.base, comparison.candidate, work.facts.interval_alpha);
    if (work.facts.forbidden_by.empty()) {
        comparison.controls = controls_of(comparison.kernels, work.facts);
        comparison.ledger = ledger_delta(comparison.base, comparison.candidate);
    } else {
        for (KernelDelta& kernel : comparison.kernels) {
            kernel.test.reset();
            kernel.reason = work.facts.forbidden_by;
        }
    }
}

/// The tests of one case, into the family of all cases or into its own.
void adjust_own(Work& work, Family& primary) {
    Family others;
    for (Row& row : work.rows) {
        if (row.shown.test) {
            (row.shown.is_primary ? primary : others).push_back(&*row.shown.test);
        }
    }
    for (KernelDelta& kernel : work.comparison.kernels) {
        if (kernel.test) {
            (work.facts.has_primary_kernels ? primary : others).push_back(&*kernel.test);
        }
    }
    adjust_for_share(others);
}

/// The verdicts of the rows that a primary name stands for.
std::vector<Verdict> verdicts_of(const Work& work, const std::string& name) {
    std::vector<Verdict> verdicts;
    if (name == kKernels) {
        for (const KernelDelta& kernel : work.comparison.kernels) {
            if (kernel.verdict) {
                verdicts.push_back(*kernel.verdict);
            }
        }
        return verdicts;
    }
    const std::vector<std::string> ids =
        ids_between(work.facts.how->policy, name, work.comparison.base, work.comparison.candidate);
    for (const Row& row : work.rows) {
        if (std::find(ids.begin(), ids.end(), row.shown.id) != ids.end()) {
            verdicts.push_back(row.shown.verdict.value_or(Verdict::inconclusive));
        }
    }
    return verdicts;
}

/// Sets the verdict of the whole, and names the primary metrics that leave it open.
void judge_whole(Work& work) {
    Comparison& comparison = work.comparison;
    const Policy& policy = work.facts.how->policy;
    std::vector<Verdict> deciding;
    for (const std::string& name : policy.primary) {
        std::vector<Verdict> verdicts = verdicts_of(work, name);
        if (verdicts.empty()) {
            verdicts = {verdict_without_row(policy, name, comparison.base, comparison.candidate)};
            if (verdicts.front() == Verdict::inconclusive) {
                comparison.not_measured.push_back(name + ", which is to decide: no run shows it");
            }
        }
        deciding.insert(deciding.end(), verdicts.begin(), verdicts.end());
    }
    comparison.verdict = !work.facts.forbidden_by.empty() ? Verdict::not_comparable
                         : deciding.empty()               ? Verdict::inconclusive
                                                          : worst_of(deciding);
}

/// Whether the runs show that the step itself changed: a share of noise explains nothing.
bool has_step_changed(const Work& work) {
    return std::any_of(work.rows.begin(), work.rows.end(), [](const Row& row) {
        const bool is_step = row.shown.id == "step.gpu_time" || row.shown.id == "op.gpu_time";
        if (!is_step || !row.shown.test || !has_interval(*row.shown.test)) {
            return false;
        }
        const double none = row.shown.test->is_ratio ? 1.0 : 0.0;
        return row.shown.test->low > none || row.shown.test->high < none;
    });
}

/// Whether no side's runs were all measured before the other's, as far as that is known.
bool is_in_turns(const Comparison& comparison, const CompareOptions& how) {
    const std::vector<Run>& base = comparison.base.runs;
    const std::vector<Run>& candidate = comparison.candidate.runs;
    if (how.is_interleaved || !how.is_one_order || base.empty() || candidate.empty()) {
        return how.is_interleaved;
    }
    const auto earlier = [](const Run& a, const Run& b) { return a.position < b.position; };
    const auto [base_first, base_last] = std::minmax_element(base.begin(), base.end(), earlier);
    const auto [first, last] = std::minmax_element(candidate.begin(), candidate.end(), earlier);
    return base_first->position < last->position && first->position < base_last->position;
}

void stamp_order(Work& work) {
    const CompareOptions& how = *work.facts.how;
    const bool is_any_tested = std::any_of(work.rows.begin(), work.rows.end(), [](const Row& row) {
        return row.shown.test.has_value();
    });
    // A stored baseline has rules of its own for what was measured at another time.
    if (is_any_tested && !how.is_stored_baseline && !is_in_turns(work.comparison, how)) {
        const bool is_imported = compares_profiles(work.comparison);
        work.comparison.stamps.emplace_back(
            is_imported
                ? "not known to be interleaved: profiles do not say in which order they were "
                  "captured, and a drift of the machine weighs on one side alone"
                : "not interleaved: a drift of the machine weighs on one side alone; run --ab "
                  "measures both in turn"
        );
    }
}

Comparison finish(Work& work) {
    Comparison& comparison = work.comparison;
    const Controls* const controls = comparison.controls ? &*comparison.controls : nullptr;
    for (Row& row : work.rows) {
        decide(row, work.facts, controls);
    }
    const double step_ns = step_of_kernels(comparison.base);
    const bool has_share = has_step_changed(work);
    for (KernelDelta& kernel : comparison.kernels) {
        judge_kernel(kernel, step_ns, work.facts, controls);
        if (!has_share) {
            kernel.of_step_change.reset();
        }
    }
    stamp_order(work);
    judge_whole(work);
    for (Row& row : work.rows) {
        comparison.deltas.push_back(std::move(row.shown));
    }
    comparison.notes = notes_of(comparison);
    if (std::string shortfall = work.facts.shortfall(); !shortfall.empty()) {
        comparison.notes.push_back(std::move(shortfall));
    }
    for (std::string& line : not_measured(comparison)) {
        comparison.not_measured.push_back(std::move(line));
    }
    return std::move(comparison);
}

} // namespace

std::vector<Comparison> compare_cases(const std::vector<Case>& cases, const CompareOptions& how) {
    std::vector<Work> works(cases.size());
    Family primary;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        begin(works[i], cases[i], how);
        adjust_own(works[i], primary);
    }
    adjust_for_any(primary);
    std::vector<Comparison> comparisons;
    for (Work& work : works) {
        comparisons.push_back(finish(work));
    }
    return comparisons;
}

Comparison compare(const Side& base, const Side& candidate, const CompareOptions& how) {
    return std::move(compare_cases({{{}, base, candidate}}, how).front());
}

bool is_blocked(const Comparison& comparison) {
    return !forbidden_by(comparison.concerns).empty();
}

ExitCode exit_code_of(const Comparison& comparison) {
    if (comparison.verdict == Verdict::not_comparable) {
        return ExitCode::not_comparable;
    }
    const bool has_difference =
        std::any_of(comparison.deltas.begin(), comparison.deltas.end(), [](const Delta& row) {
            return row.verdict == Verdict::regressed || row.verdict == Verdict::improved;
        });
    return has_difference ? ExitCode::difference : ExitCode::done;
}

} // namespace kvprof::analyzers
