#include "analyzers/profile_metrics.h"

#include "analyzers/as_double.h"
#include "capture/model/profile_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kvprof::analyzers {

namespace {

/// A figure over all ranks.
struct Total {
    std::string name;
    std::int64_t value = 0;
};

/// Ranks run beside each other: their work adds up, and the longest span is that of all.
std::vector<Total> totals_of(const Profile& profile) {
    std::vector<Total> totals;
    for (const ProfileRank& rank : profile.ranks) {
        for (const ProfileFigure& figure : rank.figures) {
            const auto known = std::find_if(totals.begin(), totals.end(), [&](const Total& total) {
                return total.name == figure.name;
            });
            if (known == totals.end()) {
                totals.push_back({figure.name, figure.value});
            } else if (figure.name.starts_with("span.") || figure.name == "steps.graph_launches") {
                known->value = std::max(known->value, figure.value);
            } else {
                known->value += figure.value;
            }
        }
    }
    return totals;
}

} // namespace

std::optional<KeptSteps> kept_steps(const Run& run) {
    if (!run.profile) {
        return std::nullopt;
    }
    std::int64_t steps = 0;
    std::int64_t launches = 0;
    std::int64_t kernels = 0;
    for (const ProfileRank& rank : run.profile->ranks) {
        for (const ProfileStep& step : rank.steps) {
            ++steps;
            launches += step.launches + step.graph_launches;
            kernels += step.kernels;
        }
    }
    if (steps == 0) {
        return std::nullopt;
    }
    return KeptSteps{
        .launches = as_double(launches) / as_double(steps),
        .kernels = as_double(kernels) / as_double(steps),
        .is_all = steps == steps_in_window(*run.profile)};
}

void add_profile_metrics(const Run& run, SeriesList& list) {
    if (!run.profile) {
        return;
    }
    for (const Total& total : totals_of(*run.profile)) {
        list.add(total.name, as_double(total.value));
    }
    for (const ApiStat& call : run.calls) {
        list.add("api.<call>", fmt::format("api.{}", call.call), as_double(call.calls));
    }
    for (const ProfileRank& rank : run.profile->ranks) {
        for (const ProfileStep& step : rank.steps) {
            list.add("step.kernel_time", as_double(step.kernel_sum));
            list.add("step.period", as_double(step.duration));
        }
    }
}

} // namespace kvprof::analyzers
