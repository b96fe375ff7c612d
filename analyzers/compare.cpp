#include "analyzers/compare.h"

#include "analyzers/case_facts.h"
#include "analyzers/compare_rows.h"
#include "analyzers/compare_words.h"
#include "analyzers/controls.h"
#include "analyzers/families.h"
#include "analyzers/judge_kernel.h"
#include "analyzers/judge_row.h"
#include "analyzers/metric_names.h"
#include "analyzers/metrics_of.h"
#include "analyzers/pass_times.h"
#include "stats/median.h"

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

/// Whether runs shared one process, and so its layout of memory: they say so themselves.
bool is_single_layout(const Side& side) {
    return std::any_of(side.runs.begin(), side.runs.end(), [](const Run& run) {
        return std::any_of(run.notes.begin(), run.notes.end(), [](const std::string& note) {
            return note.starts_with("single-layout");
        });
    });
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
    if (is_single_layout(comparison.base) || is_single_layout(comparison.candidate)) {
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

double traced_step_of(const Side& side) {
    std::vector<double> steps;
    for (const Run& run : side.runs) {
        const PassResult* const pass = measured_pass(run, Pass::nodes);
        if (const auto step = pass == nullptr ? std::nullopt : traced_step(*pass)) {
            steps.push_back(step->value);
        }
    }
    return steps.empty() ? 0.0 : stats::median(std::move(steps));
}

bool is_seen_by(const Side& side, const MetricDef& metric) {
    return std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& run) {
        return observes(run, metric);
    });
}

/// Whether a metric without a row may have changed all the same: its pass did not run, or could not
/// resolve it. What the timing pass does not show is not there, as a step without a graph has no
/// bytes of one; and a count that a pass saw nowhere is 0.
bool is_unseen(const Work& work, const MetricDef& metric) {
    const bool is_observed =
        is_seen_by(*work.facts.base, metric) && is_seen_by(*work.facts.candidate, metric);
    return metric.pass != Pass::timing && (!is_observed || metric.kind == MetricKind::sampled);
}

/// Primary metrics without a row that leave the whole open.
std::vector<std::string> unseen_primaries(const Work& work) {
    std::vector<std::string> names;
    for (const std::string& name : work.facts.how->policy.primary) {
        const std::vector<std::string> ids = ids_of(work.facts.how->policy, name);
        const bool may_have_changed =
            std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
                const MetricDef* const metric = find_metric(id);
                return metric != nullptr && is_unseen(work, *metric);
            });
        const bool has_row = std::any_of(work.rows.begin(), work.rows.end(), [&](const Row& row) {
            return std::find(ids.begin(), ids.end(), row.shown.id) != ids.end();
        });
        if (may_have_changed && !has_row) {
            names.push_back(name);
        }
    }
    return names;
}

/// The verdicts that decide the whole.
std::vector<Verdict> deciding(const Work& work) {
    std::vector<Verdict> verdicts(unseen_primaries(work).size(), Verdict::inconclusive);
    for (const Row& row : work.rows) {
        if (row.shown.is_primary && row.shown.verdict) {
            verdicts.push_back(*row.shown.verdict);
        }
    }
    if (work.facts.has_primary_kernels) {
        const std::size_t rows = verdicts.size();
        for (const KernelDelta& kernel : work.comparison.kernels) {
            if (kernel.verdict) {
                verdicts.push_back(*kernel.verdict);
            }
        }
        if (verdicts.size() == rows) {
            verdicts.push_back(Verdict::inconclusive); // asked for, and none was tested
        }
    }
    return verdicts;
}

Verdict verdict_of(const Work& work) {
    if (!work.facts.forbidden_by.empty()) {
        return Verdict::not_comparable;
    }
    const std::vector<Verdict> verdicts = deciding(work);
    const auto has = [&](Verdict verdict) {
        return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
    };
    if (has(Verdict::regressed)) {
        return Verdict::regressed;
    }
    // A row without a value on one side decides nothing either.
    if (verdicts.empty() || has(Verdict::inconclusive) || has(Verdict::not_comparable)) {
        return Verdict::inconclusive;
    }
    return has(Verdict::improved) ? Verdict::improved : Verdict::same;
}

Comparison finish(Work& work) {
    Comparison& comparison = work.comparison;
    const Controls* const controls = comparison.controls ? &*comparison.controls : nullptr;
    for (Row& row : work.rows) {
        decide(row, work.facts, controls);
    }
    const double traced_step_ns = traced_step_of(comparison.base);
    for (KernelDelta& kernel : comparison.kernels) {
        judge_kernel(kernel, traced_step_ns, work.facts, controls);
    }
    comparison.verdict = verdict_of(work);
    for (const std::string& name : unseen_primaries(work)) {
        comparison.not_measured.push_back(name + ", which is to decide: no run shows it");
    }
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
