#include "analyzers/sweep_points.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace kvprof::analyzers {

namespace {

/// The step with nothing said of the axis.
StepSpec without(StepSpec step, SweepAxis axis) {
    field_of(step, axis) = 0;
    return step;
}

/// Runs that differ in the axis alone: the largest such group, the first of equal ones.
std::vector<const Run*> group_along(SweepAxis axis, const std::vector<const Run*>& runs) {
    std::vector<StepSpec> rest;
    rest.reserve(runs.size());
    for (const Run* run : runs) {
        rest.push_back(without(run->step, axis));
    }
    std::vector<const Run*> largest;
    std::size_t most = 1;
    for (const StepSpec& step : rest) {
        std::vector<const Run*> group;
        std::set<std::int64_t> values;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (rest[i] == step) {
                group.push_back(runs[i]);
                values.insert(field_of(runs[i]->step, axis));
            }
        }
        if (values.size() > most) {
            most = values.size();
            largest = std::move(group);
        }
    }
    return largest;
}

} // namespace

std::vector<AxisRuns> axes_of(const std::vector<const Run*>& runs) {
    std::vector<const Run*> standing;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(standing), [](const Run* run) {
        return run->status.state != RunState::voided;
    });
    std::vector<AxisRuns> axes;
    for (const auto& named : EnumNames<SweepAxis>::values) {
        const SweepAxis axis = named.first;
        std::vector<const Run*> group = group_along(axis, standing);
        if (group.empty()) {
            continue;
        }
        std::stable_sort(group.begin(), group.end(), [&](const Run* a, const Run* b) {
            return field_of(a->step, axis) < field_of(b->step, axis);
        });
        AxisRuns found{.axis = axis, .runs = {}};
        for (const Run* run : group) {
            const bool is_complete = run->status.state == RunState::complete;
            (is_complete ? found.runs : found.others).push_back(run);
        }
        axes.push_back(std::move(found));
    }
    return axes;
}

std::int64_t live_tokens(const StepSpec& step) {
    return step.length_law == LengthLaw::one_long ? (step.batch - 1) * step.seq_len + step.long_len
                                                  : step.batch * step.seq_len;
}

double work_along(SweepAxis axis, const StepSpec& step) {
    return static_cast<double>(moves_live_tokens(axis) ? live_tokens(step) : field_of(step, axis));
}

} // namespace kvprof::analyzers
