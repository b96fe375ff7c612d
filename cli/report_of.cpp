#include "cli/report_of.h"

#include "analyzers/cases.h"
#include "analyzers/pairs.h"
#include "analyzers/side.h"
#include "capture/model/error.h"
#include "cli/gate_evidence.h"
#include "cli/gate_result.h"
#include "cli/judging.h"
#include "cli/report_sides.h"
#include "cli/timelines.h"
#include "cli/version.h"
#include "db/store.h"
#include "report/judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::cli {

namespace {

using analyzers::CompareOptions;
using report::Format;
using report::Judged;
using report::Recipe;

/// What compares and judges, apart from the runs.
struct Rules {
    CompareOptions how;
    GateRules gate;
};

/// On the day of the newest run acceptances hold or have expired, so that the same report comes out
/// on every day; a gate has a day of its own.
std::string day_of(const std::vector<LoadedSide>& sides) {
    std::vector<const Run*> runs;
    for (const LoadedSide& side : sides) {
        for (const Run& run : side.experiment.runs) {
            runs.push_back(&run);
        }
    }
    constexpr std::size_t kDay = 10; // "2026-11-29"
    return report::newest_start(runs).substr(0, kDay);
}

/// One run has a page of its own; machines get it inside its experiment, as any other.
bool is_page(Format format) {
    return format == Format::text || format == Format::markdown || format == Format::markdown_table
           || format == Format::html || format == Format::perfetto;
}

std::variant<Run, Experiment, Judged> listing(const LoadedSide& side, Format format) {
    if (side.experiment.runs.size() == 1 && is_page(format)) {
        return side.experiment.runs.front();
    }
    return side.experiment;
}

/// Sides of one experiment keep what its design says of them.
void keep_design(const std::vector<LoadedSide>& sides, CompareOptions& how) {
    const Experiment& base = sides[0].experiment;
    if (base.uuid.empty() || base.uuid != sides[1].experiment.uuid) {
        return;
    }
    if (base.ab) {
        take_design(*base.ab, how);
    } else {
        how.is_one_order = true; // the cells of a matrix alternate too
    }
}

Judged judge_sides(const std::vector<LoadedSide>& sides, const Recipe& recipe, Rules rules) {
    keep_design(sides, rules.how);
    const std::vector<Run>& candidates = sides[1].experiment.runs;
    Judged judged;
    judged.gate = analyzers::gate_of(
        {analyzers::compare(
            analyzers::side_of(sides[0].label, sides[0].experiment.runs),
            analyzers::side_of(sides[1].label, candidates),
            rules.how
        )},
        rules.how.policy,
        rules.gate.day,
        rules.gate.allows_single_layout
    );
    if (recipe.is_gate) {
        weigh_failures(judged.gate, candidates);
    }
    return judged;
}

/// Laws of both sides stand next to each other, and no verdict is made of them.
[[noreturn]] void refuse_sweep(const std::string& label) {
    throw UsageError(
        fmt::format("could not compare \"{}\" with itself: a sweep has laws, no verdict", label),
        fmt::format("kvprof show {} has the laws of both sides; kvprof run --ab decides", label)
    );
}

Judged judge_cells(const LoadedSide& side, const Recipe& recipe, const Rules& rules) {
    if (side.experiment.ab && side.experiment.kind == ExperimentKind::sweep) {
        refuse_sweep(side.label);
    }
    if (side.experiment.ab) {
        throw UsageError(
            fmt::format(
                "could not pair the runs of \"{}\" by {}: an A/B experiment has its sides",
                side.label,
                recipe.by
            ),
            "leave --by out"
        );
    }
    analyzers::PairedComparison pairs =
        analyzers::compare_pairs(analyzers::pair_by(recipe.by, side.experiment.runs), rules.how);
    std::vector<analyzers::Comparison> cases;
    for (analyzers::PairedComparison::Cell& cell : pairs.cells) {
        cell.comparison.cell = cell.cell;
        cases.push_back(std::move(cell.comparison));
    }
    Judged judged;
    judged.by = recipe.by;
    judged.unpaired = std::move(pairs.unpaired);
    judged.gate = analyzers::gate_of(
        std::move(cases), rules.how.policy, rules.gate.day, rules.gate.allows_single_layout
    );
    return judged;
}

Judged judge_experiment(const LoadedSide& side, const ReportPlan& plan, const Rules& rules) {
    Judged judged;
    if (!plan.recipe.confirmation.empty()) {
        const Experiment second = load_known(plan.recipe.confirmation, plan.store);
        judged.gate = result_of_both(side.experiment, second, rules.how, rules.gate);
    } else if (plan.recipe.is_gate) {
        judged.gate = result_of(side.experiment, rules.how, rules.gate);
    } else {
        judged.gate = analyzers::gate_of(
            compare_experiment(side.experiment, rules.how),
            rules.how.policy,
            rules.gate.day,
            rules.gate.allows_single_layout
        );
    }
    return judged;
}

Judged judge(const std::vector<LoadedSide>& sides, const ReportPlan& plan, const Rules& rules) {
    const Recipe& recipe = plan.recipe;
    Judged judged = sides.size() == 2    ? judge_sides(sides, recipe, rules)
                    : !recipe.by.empty() ? judge_cells(sides[0], recipe, rules)
                                         : judge_experiment(sides[0], plan, rules);
    judged.gate.remarks.insert(
        judged.gate.remarks.end(), recipe.remarks.begin(), recipe.remarks.end()
    );
    for (const LoadedSide& side : sides) {
        for (const report::ExperimentHead& head : side.heads) {
            add_head(head, judged.experiments);
        }
    }
    return judged;
}

/// The uuids of the calibrations that speak of a run of the sides.
std::vector<std::string> used_calibrations(
    const std::vector<analyzers::Calibration>& calibrations, const std::vector<LoadedSide>& sides
) {
    std::vector<std::string> used;
    for (const LoadedSide& side : sides) {
        for (const Run& run : side.experiment.runs) {
            const auto* const one = analyzers::calibration_for(calibrations, run);
            if (one != nullptr
                && std::find(used.begin(), used.end(), one->experiment) == used.end()) {
                used.push_back(one->experiment);
            }
        }
    }
    return used;
}

/// Of the steps that the sides measured.
std::vector<std::string>
found_calibrations(const db::Store& store, const std::vector<LoadedSide>& sides) {
    std::vector<StepSpec> steps;
    std::vector<std::string> uuids;
    for (const LoadedSide& side : sides) {
        for (const Run& run : side.experiment.runs) {
            if (std::find(steps.begin(), steps.end(), run.step) != steps.end()) {
                continue;
            }
            steps.push_back(run.step);
            for (std::string& uuid : store.calibrations_of(run.step)) {
                uuids.push_back(std::move(uuid));
            }
        }
    }
    return uuids;
}

/// Loads calibrations, and lets the recipe name those that count.
void take_calibrations(ReportPlan& plan, const std::vector<LoadedSide>& sides, Rules& rules) {
    std::vector<std::string>& uuids = plan.recipe.calibrations;
    const bool has_some = plan.finds_calibrations ? holds_anything(plan.store) : !uuids.empty();
    if (!has_some) {
        return;
    }
    const db::Store store(plan.store, db::OpenMode::read);
    if (plan.finds_calibrations) {
        uuids = found_calibrations(store, sides);
    }
    for (const std::string& uuid : uuids) {
        require_stored(store, uuid, "calibration");
    }
    rules.how.calibrations =
        load_calibrations(store, uuids, static_cast<std::size_t>(rules.how.policy.runs));
    uuids = used_calibrations(rules.how.calibrations, sides);
}

const Judged& comparison_of(const report::Report& report, const Recipe& recipe) {
    const auto* const judged = std::get_if<Judged>(&report.subject);
    const auto* const listed = std::get_if<Experiment>(&report.subject);
    if (listed != nullptr && listed->kind == ExperimentKind::sweep && listed->ab) {
        refuse_sweep(recipe.sides[0].label);
    }
    if (judged == nullptr) {
        throw UsageError(
            fmt::format(
                "could not compare \"{}\" with itself: it is no A/B experiment",
                recipe.sides[0].label
            ),
            "name two sides, A and B, or the field that tells them apart, --by FIELD"
        );
    }
    return *judged;
}

/// Whether runs of both sides of an A/B experiment are there.
bool has_sides(const Experiment& experiment) {
    const auto stands_on = [&](AbSide side) {
        return std::any_of(experiment.runs.begin(), experiment.runs.end(), [&](const Run& run) {
            return run.ab && run.ab->side == side;
        });
    };
    return experiment.ab
           && (experiment.runs.empty() || (stands_on(AbSide::a) && stands_on(AbSide::b)));
}

bool is_listed(const Recipe& recipe, const std::vector<LoadedSide>& sides) {
    const bool is_alone = sides.size() == 1 && recipe.by.empty();
    const Experiment& first = sides[0].experiment;
    const bool is_judged = has_sides(first) && first.kind == ExperimentKind::ab;
    return recipe.is_listing || (is_alone && !recipe.is_gate && !is_judged);
}

} // namespace

report::Report report_of(ReportPlan plan) {
    std::vector<LoadedSide> sides;
    for (std::size_t i = 0; i < plan.recipe.sides.size(); ++i) {
        sides.push_back(load_side(plan.recipe.sides[i], plan.stores[i]));
    }
    report::Report report{
        .recipe = {},
        .tool = {std::string(version())},
        .subject = {},
        .claims = {},
        .drawn_steps = {}};
    if (is_listed(plan.recipe, sides)) {
        plan.recipe.is_listing = true;
        plan.recipe.calibrations.clear();
        plan.recipe.policy.reset();
        report.subject = listing(sides[0], plan.recipe.format);
    } else {
        Rules rules{compare_options(plan.recipe), {}};
        if (plan.recipe.day.empty()) {
            plan.recipe.day = day_of(sides);
        }
        rules.gate = {plan.recipe.day, plan.recipe.allows_single_layout};
        take_calibrations(plan, sides, rules);
        report.subject = judge(sides, plan, rules);
    }
    if (plan.recipe.claims) {
        const Judged& judged = comparison_of(report, plan.recipe);
        report.claims = report::check_claims(
            report::parse_claims(plan.recipe.claims->text, plan.recipe.claims->origin),
            judged.gate.cases,
            judged.gate.policy
        );
    }
    if (plan.recipe.format == Format::perfetto) {
        add_timelines(plan, report);
    } else if (draws_steps(plan.recipe.format)) {
        report.drawn_steps = step_timelines(plan, report);
    }
    report.recipe = std::move(plan.recipe);
    return report;
}

const report::Judged& comparison_of(const report::Report& report) {
    return comparison_of(report, report.recipe);
}

} // namespace kvprof::cli
