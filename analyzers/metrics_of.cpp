#include "analyzers/metrics_of.h"

#include "analyzers/as_double.h"
#include "analyzers/pass_times.h"
#include "analyzers/profile_metrics.h"
#include "analyzers/series_list.h"
#include "analyzers/trace_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kvprof::analyzers {

namespace {

void add_times(const Run& run, SeriesList& list) {
    const bool is_op = !run.measure.op.empty();
    for (const Sample& sample : run.samples) {
        const std::int64_t pieces =
            is_op ? sample.replays * run.measure.op_launches : sample.replays;
        if (sample.discarded || pieces <= 0) {
            continue;
        }
        list.add(
            is_op ? "op.gpu_time" : "step.gpu_time", as_double(sample.gpu_time) / as_double(pieces)
        );
        list.add(
            is_op ? "op.wall_time" : "step.wall_time",
            as_double(sample.wall_time) / as_double(pieces)
        );
    }
}

/// The tail of single steps: too few of them have none, and a batch of replays hides it.
void add_tail(const Run& run, SeriesList& list) {
    constexpr std::size_t kFewest = 1000;
    constexpr std::size_t kPercent = 99;
    std::vector<double> steps;
    for (const Sample& sample : run.samples) {
        if (sample.discarded) {
            continue;
        }
        if (sample.replays != 1) {
            return;
        }
        steps.push_back(as_double(sample.gpu_time));
    }
    if (steps.size() < kFewest || !run.measure.op.empty()) {
        return;
    }
    const std::size_t place = (steps.size() * kPercent + 99) / 100 - 1; // nearest rank
    const auto at = steps.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(steps.begin(), at, steps.end());
    list.add("step.gpu_time_p99", *at);
}

void add_host_times(const Run& run, SeriesList& list) {
    if (!run.host_times || run.host_times->steps <= 0 || !run.measure.op.empty()) {
        return;
    }
    const HostTimes& times = *run.host_times;
    list.add("step.host_before", as_double(times.before) / as_double(times.steps));
    list.add("step.host_launch", as_double(times.launch) / as_double(times.steps));
    list.add("step.host_after", as_double(times.after) / as_double(times.steps));
}

void add_counts(const Run& run, SeriesList& list) {
    const double steps = as_double(std::max<std::int64_t>(run.cycle_steps, 1));
    for (const OpStat& stat : run.ops) {
        const double launches = as_double(stat.launches) / steps;
        const bool is_out = stat.placement == Placement::out;
        list.add("step.launches", launches);
        list.add("step.launches_out", is_out ? launches : 0.0);
        list.add("step.copies", as_double(stat.copies) / steps);
        list.add("op.<name>.launches", fmt::format("op.{}.launches", to_string(stat.op)), launches);
    }
    list.add("graph.nodes", as_double(run.graph_nodes));
}

void add_memory(const Run& run, SeriesList& list) {
    for (const MemoryStat& stat : run.memory) {
        const double bytes = as_double(stat.bytes.count);
        if (stat.source == MemorySource::ledger) {
            list.add("ledger.<group>.bytes", fmt::format("ledger.{}.bytes", stat.group), bytes);
            list.add("ledger.<buffer>.bytes", fmt::format("ledger.{}.bytes", stat.name), bytes);
        } else if (stat.source == MemorySource::device_free) {
            list.add(
                "device_free.<name>.bytes", fmt::format("device_free.{}.bytes", stat.name), bytes
            );
        }
    }
}

} // namespace

std::vector<Series> metrics_of(const Run& run) {
    SeriesList list;
    if (run.status.state == RunState::complete && run.profile) {
        add_profile_metrics(run, list);
        add_call_metrics(run, list);
        add_kernel_metrics(run, list);
    } else if (run.status.state == RunState::complete) {
        add_times(run, list);
        add_tail(run, list);
        add_host_times(run, list);
        add_counts(run, list);
        add_call_metrics(run, list);
        add_kernel_metrics(run, list);
        add_traced_times(run, list);
        add_memory(run, list);
        add_graph_memory(run, list);
    }
    return std::move(list).in_catalogue_order();
}

bool observes(const Run& run, const MetricDef& metric) {
    if (metric.is_of_profile) {
        return run.profile.has_value();
    }
    const bool is_timed = metric.pass == Pass::timing && !run.profile;
    return is_timed || measured_pass(run, metric.pass) != nullptr;
}

} // namespace kvprof::analyzers
