#include "capture/experiment/sweep.h"
#include "capture/model/error.h"
#include "cli/run_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cli {

namespace {

using experiment::Cell;
using experiment::OptionSet;
using experiment::SweptAxis;

/// A side that set what an axis moves would stand still on it.
void check_sides(const std::vector<OptionSet>& sides, const std::vector<SweptAxis>& axes) {
    for (const SweptAxis& axis : axes) {
        for (const OptionSet& side : sides) {
            const bool is_set =
                std::any_of(side.fields.begin(), side.fields.end(), [&](const Param& field) {
                    return field.name == to_string(axis.axis);
                });
            if (is_set) {
                throw UsageError(
                    fmt::format(
                        "could not sweep \"{}\": the side \"{}\" sets it",
                        to_string(axis.axis),
                        side.text
                    ),
                    "name the axes that move with --axis, or leave the field out of the side"
                );
            }
        }
    }
}

} // namespace

RunPlan plan_sweep(const RunOptions& options) {
    const DesignOptions& design = options.design;
    const StepSpec step = experiment::with_own_context(options.step);
    const std::vector<SweptAxis> axes =
        design.axes.empty() ? experiment::usual_axes(step) : design.axes;
    check_sides(design.sides, axes);
    RunPlan plan;
    plan.kind = ExperimentKind::sweep;
    const std::vector<Cell> points = experiment::cells_of_sweep(step, options.measure, axes);
    if (design.sides.empty()) {
        plan.cells = points;
        experiment::decide(plan.cells);
        return plan;
    }
    for (const Cell& point : points) {
        for (const OptionSet& side : design.sides) {
            plan.cells.push_back(side_cell(point, side));
        }
    }
    experiment::decide(plan.cells);
    AbDesign& ab = plan.ab.emplace();
    ab.a = design.sides[0].text;
    ab.b = design.sides[1].text;
    ab.runs = options.repeats;
    ab.treatment = treatment_of(plan.cells);
    if (ab.treatment.empty()) {
        throw UsageError(
            "could not lay out the sweep: both sides of --ab are alike",
            "let them differ, as in --ab grid=ctx grid=bs, or leave --ab out"
        );
    }
    return plan;
}

void order_points(const RunOptions& options, RunPlan& plan) {
    const std::size_t sides = plan.ab ? 2 : 1;
    const auto points = experiment::interleave(plan.cells.size() / sides, options.repeats);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!plan.ab) {
            plan.order.push_back(points[i]);
            continue;
        }
        for (std::size_t place = 0; place < sides; ++place) {
            const std::size_t side = i % 2 == 0 ? place : 1 - place;
            plan.order.push_back(
                {points[i].cell * sides + side,
                 points[i].repeat,
                 AbPlace{
                     .side = side == 0 ? AbSide::a : AbSide::b,
                     .block = points[i].repeat,
                     .place = static_cast<std::int64_t>(place)}}
            );
        }
    }
}

} // namespace kvprof::cli
