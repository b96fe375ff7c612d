#include "analyzers/tuning.h"

#include "analyzers/metrics_of.h"
#include "stats/median.h"

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

StepSpec without_choice(StepSpec step) {
    const StepSpec plain;
    step.index_split = plain.index_split;
    step.index_threads = plain.index_threads;
    step.index_items = plain.index_items;
    step.index_blocks = plain.index_blocks;
    step.launch_edges = plain.launch_edges;
    return step;
}

/// The place of the value that `is_it` finds in a list, which is added where it is missing.
template<typename T, typename Is>
std::size_t place_of(std::vector<T>& list, Is is_it, T added) {
    const auto found = std::find_if(list.begin(), list.end(), is_it);
    if (found != list.end()) {
        return static_cast<std::size_t>(found - list.begin());
    }
    list.push_back(std::move(added));
    return list.size() - 1;
}

/// The median of one run's samples, and its interval.
std::optional<ChoiceTime> time_of(const Run& run) {
    const std::vector<Series> metrics = metrics_of(run);
    const auto found = std::find_if(metrics.begin(), metrics.end(), [](const Series& series) {
        return series.id == "op.gpu_time";
    });
    if (found == metrics.end() || found->values.empty()) {
        return std::nullopt;
    }
    std::vector<double> sorted = found->values;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t cut = std::max<std::size_t>(stats::median_cut(sorted.size()), 1);
    return ChoiceTime{stats::median(sorted), sorted[cut - 1], sorted[sorted.size() - cut], 1};
}

ChoiceTime joined(const std::vector<ChoiceTime>& runs) {
    ChoiceTime time = runs.front();
    std::vector<double> medians;
    for (const ChoiceTime& run : runs) {
        medians.push_back(run.ns);
        time.low = std::min(time.low, run.low);
        time.high = std::max(time.high, run.high);
    }
    time.ns = stats::median(medians);
    time.low *= 1.0 - kBetweenProcesses;
    time.high *= 1.0 + kBetweenProcesses;
    time.runs = runs.size();
    return time;
}

/// Runs of one shape by choice, until all are there.
struct ShapeRuns {
    TunedShape shape;
    std::vector<std::vector<ChoiceTime>> runs;
};

void add_run(const Run& run, std::size_t choice, ShapeRuns& to) {
    to.runs.resize(std::max(to.runs.size(), choice + 1));
    if (auto time = time_of(run)) {
        to.runs[choice].push_back(*time);
    } else {
        to.shape.untimed.push_back({choice, run.status.state, run.status.reason});
    }
}

void find_best(TunedShape& shape) {
    for (std::size_t i = 0; i < shape.times.size(); ++i) {
        const bool is_better =
            shape.times[i] && (!shape.best || shape.times[i]->ns < shape.times[*shape.best]->ns);
        shape.best = is_better ? i : shape.best;
    }
    for (std::size_t i = 0; i < shape.times.size(); ++i) {
        if (i != shape.best && shape.times[i]
            && shape.times[i]->low <= shape.times[*shape.best]->high) {
            shape.ties.push_back(i);
        }
    }
}

TunedShape finished(ShapeRuns&& of, std::size_t choices) {
    of.runs.resize(choices);
    for (const std::vector<ChoiceTime>& runs : of.runs) {
        of.shape.times.push_back(runs.empty() ? std::nullopt : std::optional(joined(runs)));
    }
    std::erase_if(of.shape.untimed, [&](const UntimedChoice& one) {
        return of.shape.times[one.choice].has_value();
    });
    find_best(of.shape);
    return std::move(of.shape);
}

/// The largest over the shapes of what `of_time` makes of a time and the best one; absent where the
/// choice has no time at a shape that has a best.
template<typename OfTime>
std::optional<std::pair<double, std::size_t>>
largest(const Tuning& tuning, std::size_t choice, OfTime of_time) {
    std::optional<std::pair<double, std::size_t>> most;
    for (std::size_t i = 0; i < tuning.shapes.size(); ++i) {
        const TunedShape& shape = tuning.shapes[i];
        if (!shape.best) {
            continue;
        }
        if (!shape.times[choice]) {
            return std::nullopt;
        }
        const double value = of_time(*shape.times[choice]) / shape.times[*shape.best]->ns - 1.0;
        if (!most || value > most->first) {
            most = {value, i};
        }
    }
    return most;
}

double median_ns(const ChoiceTime& time) {
    return time.ns;
}

double low_ns(const ChoiceTime& time) {
    return time.low;
}

double high_ns(const ChoiceTime& time) {
    return time.high;
}

std::optional<JointChoice> joint_of(const Tuning& tuning) {
    std::optional<JointChoice> joint;
    for (std::size_t i = 0; i < tuning.choices.size(); ++i) {
        const auto regret = largest(tuning, i, median_ns);
        if (regret && (!joint || regret->first < joint->largest_regret)) {
            joint = {i, regret->first, regret->second, {}};
        }
    }
    if (!joint) {
        return joint;
    }
    const double bound = largest(tuning, joint->choice, high_ns)->first;
    for (std::size_t i = 0; i < tuning.choices.size(); ++i) {
        const auto least = largest(tuning, i, low_ns);
        if (i != joint->choice && least && least->first <= bound) {
            joint->ties.push_back(i);
        }
    }
    return joint;
}

} // namespace

LaunchChoice choice_of(const StepSpec& step) {
    return {
        step.index_split,
        step.index_threads,
        step.index_items,
        step.index_blocks,
        step.launch_edges};
}

std::optional<double> TunedShape::regret(std::size_t choice) const {
    if (!times[choice]) {
        return std::nullopt;
    }
    return times[choice]->ns / times[best.value()]->ns - 1.0;
}

std::optional<double> Tuning::largest_regret(std::size_t choice) const {
    const auto most = largest(*this, choice, median_ns);
    return most ? std::optional(most->first) : std::nullopt;
}

Tuning tuning_of(const std::vector<Run>& runs) {
    Tuning tuning;
    const auto is_shipped = [](const Run& run) { return choice_of(run.step).is_shipped(); };
    if (std::any_of(runs.begin(), runs.end(), is_shipped)) {
        tuning.choices.emplace_back();
        tuning.shipped = 0;
    }
    std::vector<ShapeRuns> shapes;
    for (const Run& run : runs) {
        tuning.op = run.measure.op;
        const LaunchChoice choice = choice_of(run.step);
        const StepSpec step = without_choice(run.step);
        const std::size_t at = place_of(
            tuning.choices, [&](const LaunchChoice& one) { return one == choice; }, choice
        );
        const std::size_t shape = place_of(
            shapes,
            [&](const ShapeRuns& one) { return one.shape.step == step; },
            ShapeRuns{{step, {}, {}, {}, {}}, {}}
        );
        add_run(run, at, shapes[shape]);
    }
    for (ShapeRuns& shape : shapes) {
        tuning.shapes.push_back(finished(std::move(shape), tuning.choices.size()));
    }
    tuning.joint = joint_of(tuning);
    return tuning;
}

} // namespace kvprof::analyzers
