#include "capture/experiment/ab_order.h"
#include "capture/model/error.h"
#include "capture/workload/step_plan.h"
#include "cli/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace kvprof::cli {

namespace {

using experiment::Cell;
using experiment::OptionSet;
using experiment::Vary;

/// Runs a side at which --runs auto looks.
constexpr std::array<std::int64_t, 3> kLooks{8, 12, 16};

/// A and B, and the fields that are left to vary from case to case.
struct Sides {
    OptionSet a;
    OptionSet b;
    std::vector<Vary> cases;
};

Sides sides_of(const RunOptions& options) {
    if (options.design.sides.size() == 2) {
        return {options.design.sides[0], options.design.sides[1], options.varies};
    }
    if (options.varies.empty() || options.varies.front().values.size() != 2) {
        throw UsageError(
            "could not lay out an A/B experiment: --ab names no sides, and the first --vary does "
            "not have two values",
            "kvprof run --ab index-mode=rectangle index-mode=stream, or "
            "--ab --vary index-mode=rectangle,stream"
        );
    }
    const Vary& first = options.varies.front();
    const auto side = [&](const std::string& value) {
        return experiment::parse_option_set(fmt::format("{}={}", first.field, value));
    };
    return {
        side(first.values[0]),
        side(first.values[1]),
        {options.varies.begin() + 1, options.varies.end()}};
}

void check_cases(const Sides& sides) {
    for (const Vary& axis : sides.cases) {
        for (const OptionSet* side : {&sides.a, &sides.b}) {
            const bool is_set =
                std::any_of(side->fields.begin(), side->fields.end(), [&](const Param& field) {
                    return field.name == axis.field;
                });
            if (is_set) {
                throw UsageError(fmt::format(
                    "could not vary \"{}\" from case to case: the side \"{}\" sets it",
                    axis.field,
                    side->text
                ));
            }
        }
    }
}

/// "index-mode=stream batch=8": what the side sets, then the case.
std::string variant_of(const OptionSet& side, const std::string& name) {
    std::string variant;
    for (const Param& field : side.fields) {
        variant += fmt::format("{}{}={}", variant.empty() ? "" : " ", field.name, field.value);
    }
    return variant + (variant.empty() || name.empty() ? "" : " ") + name;
}

std::int64_t drawn_seed() {
    return static_cast<std::int64_t>(std::random_device{}());
}

/// The fields of a design or of --treatment and --allow-mismatch that name a pool's capacity.
bool is_declared(const RunOptions& options, const std::string& field) {
    const auto names = [&](const std::vector<std::string>& fields) {
        return std::find(fields.begin(), fields.end(), field) != fields.end();
    };
    return names(options.judge.treatment) || names(options.judge.allowed_mismatch);
}

void require_equal(
    const RunOptions& options, const std::string& field, std::int64_t a, std::int64_t b
) {
    if (a == b || is_declared(options, field)) {
        return;
    }
    throw ComparabilityError(
        fmt::format("could not compare A with B: {}: {} -> {}", field, a, b),
        fmt::format("give both the same pool (--pool-tokens), or declare it: --treatment {}", field)
    );
}

} // namespace

void require_equal_pools(const RunOptions& options, const RunPlan& plan) {
    for (std::size_t i = 0; i < plan.cells.size(); i += 2) {
        const auto pool_of = [&](std::size_t cell) {
            return workload::plan_step(plan.cells[cell].step, plan.cells[cell].measure)
                .pool_facts();
        };
        const PoolFacts a = pool_of(i);
        const PoolFacts b = pool_of(i + 1);
        require_equal(
            options, "pool.schedulable-tokens", a.schedulable_tokens, b.schedulable_tokens
        );
        require_equal(options, "pool.state-slots", a.state_slots, b.state_slots);
    }
}

Cell side_cell(const Cell& base, const OptionSet& side) {
    Cell cell = base;
    experiment::apply(side, cell);
    cell.variant = variant_of(side, base.variant);
    return cell;
}

std::vector<std::string> treatment_of(const std::vector<Cell>& cells) {
    std::vector<std::string> treatment;
    for (std::size_t i = 0; i + 1 < cells.size(); i += 2) {
        for (std::string& field : experiment::differing_fields(cells[i], cells[i + 1])) {
            if (std::find(treatment.begin(), treatment.end(), field) == treatment.end()) {
                treatment.push_back(std::move(field));
            }
        }
    }
    return treatment;
}

RunPlan plan_sides(const RunOptions& options) {
    const Sides sides = sides_of(options);
    check_cases(sides);
    RunPlan plan;
    plan.kind = ExperimentKind::ab;
    AbDesign& design = plan.ab.emplace();
    design.a = sides.a.text;
    design.b = sides.b.text;
    design.attempt = options.design.attempt;
    for (const Cell& base : experiment::cells_of(options.step, options.measure, sides.cases)) {
        plan.cases.push_back(base.variant);
        plan.cells.push_back(side_cell(base, sides.a));
        plan.cells.push_back(side_cell(base, sides.b));
    }
    experiment::decide(plan.cells);
    design.treatment = treatment_of(plan.cells);
    return plan;
}

void order_sides(const RunOptions& options, RunPlan& plan) {
    AbDesign& design = *plan.ab;
    design.seed = options.design.order_seed ? *options.design.order_seed : drawn_seed();
    design.runs = options.design.runs > 0 ? options.design.runs : kRunsOfAb;
    if (options.design.has_looks) {
        plan.looks.assign(kLooks.begin(), kLooks.end());
        design.runs = kLooks.back();
        design.looks = std::ssize(kLooks);
    }
    const bool is_mirrored = design.attempt % 2 == 0;
    const auto order = experiment::ab_order(
        plan.cases.size(), design.runs, static_cast<std::uint64_t>(design.seed), is_mirrored
    );
    std::vector<std::int64_t> repeats(plan.cells.size(), 0);
    for (const experiment::AbSlot& slot : order) {
        const std::size_t cell = 2 * slot.case_index + (slot.place.side == AbSide::a ? 0 : 1);
        plan.order.push_back({cell, repeats[cell]++, slot.place});
    }
    plan.replacements = 2 * design.runs * std::ssize(plan.cases);
}

} // namespace kvprof::cli
