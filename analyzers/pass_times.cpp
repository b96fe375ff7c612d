#include "analyzers/pass_times.h"

#include "analyzers/as_double.h"
#include "stats/median.h"

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

double median_of(const std::vector<Estimate>& steps) {
    std::vector<double> values;
    for (const Estimate& step : steps) {
        values.push_back(step.value);
    }
    return values.empty() ? 0.0 : stats::median(std::move(values));
}

} // namespace

const PassResult* measured_pass(const Run& run, Pass pass) {
    const auto found =
        std::find_if(run.passes.begin(), run.passes.end(), [&](const PassResult& result) {
            return result.pass == pass && result.failure.empty();
        });
    return found == run.passes.end() ? nullptr : &*found;
}

std::optional<Estimate> untraced_step(const Run& run) {
    std::vector<double> steps;
    for (const Sample& sample : run.samples) {
        if (!sample.discarded && sample.replays > 0) {
            steps.push_back(as_double(sample.gpu_time) / as_double(sample.replays));
        }
    }
    if (steps.empty()) {
        return std::nullopt;
    }
    return median_with_interval(std::move(steps));
}

std::vector<Estimate> untraced_steps(const std::vector<Run>& runs) {
    std::vector<Estimate> steps;
    for (const Run& run : runs) {
        if (std::optional<Estimate> step = untraced_step(run)) {
            steps.push_back(*step);
        }
    }
    return steps;
}

double median_untraced_step(const std::vector<Run>& runs) {
    return median_of(untraced_steps(runs));
}

double median_traced_step(const std::vector<Run>& runs) {
    std::vector<Estimate> steps;
    for (const Run& run : runs) {
        const PassResult* const pass = measured_pass(run, Pass::nodes);
        if (const auto step = pass == nullptr ? std::nullopt : traced_step(*pass)) {
            steps.push_back(*step);
        }
    }
    return median_of(steps);
}

std::optional<Estimate> traced_step(const PassResult& pass) {
    std::vector<StepGroup> batches;
    for (const TracedBatch& batch : pass.batches) {
        if (batch.steps > 0) {
            batches.push_back({.total = as_double(batch.gpu_time), .steps = as_double(batch.steps)}
            );
        }
    }
    if (batches.empty()) {
        return std::nullopt;
    }
    return mean_per_step(batches);
}

std::int64_t timed_steps(const PassResult& pass) {
    std::int64_t steps = 0;
    for (const TracedBatch& batch : pass.batches) {
        steps += batch.steps;
    }
    return steps;
}

std::vector<PassTime> pass_times(const Run& run) {
    const std::optional<Estimate> untraced = untraced_step(run);
    std::vector<PassTime> times;
    for (const PassResult& result : run.passes) {
        const std::optional<Estimate> step = traced_step(result);
        if (!result.failure.empty() || !step) {
            continue;
        }
        PassTime& time = times.emplace_back();
        time.pass = result.pass;
        time.step = *step;
        time.batches = std::ssize(result.batches);
        time.steps = timed_steps(result);
        if (untraced && untraced->value > 0.0) {
            time.overhead = step->value / untraced->value;
        }
    }
    return times;
}

} // namespace kvprof::analyzers
