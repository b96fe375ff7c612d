#include "analyzers/profile_windows.h"

#include "analyzers/imported_runs.h"
#include "analyzers/metric_names.h"
#include "capture/model/profile_figures.h"

namespace kvprof::analyzers {

Windows windows_of(const Side& base, const Side& candidate) {
    Windows windows;
    if (!are_imported(base.runs) || !are_imported(candidate.runs)) {
        return windows;
    }
    const Run& first = base.runs.front();
    for (const Side* side : {&base, &candidate}) {
        for (const Run& run : side->runs) {
            windows.differ = windows.differ
                             || steps_in_window(*run.profile) != steps_in_window(*first.profile)
                             || run.profile->ranks.size() != first.profile->ranks.size();
            windows.have_steps = windows.have_steps && steps_in_window(*run.profile) > 0;
        }
    }
    return windows;
}

bool is_of_other_work(const MetricDef& metric, const Windows& windows) {
    const bool is_of_step = metric.id.starts_with("step.") || metric.id == "api.<call>.calls";
    const bool is_total = metric.is_of_profile && !metric.id.starts_with("step");
    return windows.differ && (is_total || (is_of_step && !windows.have_steps));
}

std::vector<std::string>
ids_between(const Policy& policy, std::string_view name, const Side& base, const Side& candidate) {
    if (windows_of(base, candidate).differ) {
        if (name == kStepTime) {
            return {"step.kernel_time", "step.period"};
        }
        if (name == kLaunches) {
            return {"step.host_launch_calls"};
        }
        if (name == kCopies) {
            return {"step.memory_copies"};
        }
    }
    return ids_of(policy, name);
}

} // namespace kvprof::analyzers
