#include "analyzers/trace_metrics.h"

#include "analyzers/executable_cost.h"
#include "analyzers/memory_marks.h"
#include "analyzers/step_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace kvprof::analyzers {

namespace {

double real(std::int64_t value) {
    return static_cast<double>(value);
}

double real(std::chrono::nanoseconds time) {
    return real(std::int64_t{time.count()});
}

/// The steps that a pass counted; at least 1, so that a pass without any divides nothing by 0.
double steps_of(const PassResult& pass) {
    return real(std::max<std::int64_t>(pass.steps, 1));
}

bool is_of_step(const ApiStat& stat) {
    return stat.role == Role::op || stat.role == Role::replay;
}

std::string op_id(OpKind op, const char* what) {
    return fmt::format("op.{}.{}", to_string(op), what);
}

/// Sums of one batch of the nodes pass, ns.
struct BatchTimes {
    double gap = 0.0;
    double overlap = 0.0;
    double tail = 0.0;
    std::map<OpKind, double> ops;
};

std::map<std::int64_t, BatchTimes> batch_times(const Run& run) {
    std::map<std::int64_t, BatchTimes> batches;
    std::map<std::int64_t, std::int64_t> batch_of;
    for (const StepRecord& step : run.step_records) {
        BatchTimes& batch = batches[step.batch];
        batch.gap += real(step.span - step.busy_union);
        batch.overlap += real(step.busy_sum - step.busy_union);
        batch.tail += step.tail ? real(*step.tail) : 0.0;
        batch_of[step.step] = step.batch;
    }
    for (const OpSample& sample : run.op_samples) {
        if (const auto found = batch_of.find(sample.step); found != batch_of.end()) {
            batches[found->second].ops[sample.op] += real(sample.time);
        }
    }
    return batches;
}

std::vector<OpKind> traced_ops(const Run& run) {
    std::vector<OpKind> ops;
    for (const OpSample& sample : run.op_samples) {
        if (std::find(ops.begin(), ops.end(), sample.op) == ops.end()) {
            ops.push_back(sample.op);
        }
    }
    return ops;
}

void add_copies(const KernelStat& stat, double steps, SeriesList& list) {
    const double copies = real(stat.launches) / steps;
    list.add("step.memory_copies", copies);
    switch (stat.copy) {
    case CopyKind::host_to_device: list.add("step.h2d_copies", copies); break;
    case CopyKind::device_to_host: list.add("step.d2h_copies", copies); break;
    case CopyKind::none:
    case CopyKind::device_to_device:
    case CopyKind::other: break;
    }
}

void add_live_fractions(const Run& run, SeriesList& list) {
    struct Blocks {
        std::int64_t launched = 0;
        std::int64_t with_work = 0;
    };

    std::map<OpKind, Blocks> blocks;
    for (const KernelStat& stat : run.kernels) {
        if (stat.blocks_with_work && stat.blocks > 0) {
            blocks[stat.op].launched += stat.blocks;
            blocks[stat.op].with_work += *stat.blocks_with_work;
        }
    }
    for (const auto& [op, count] : blocks) {
        list.add(
            "op.<name>.live_fraction",
            op_id(op, "live_fraction"),
            real(count.with_work) / real(count.launched)
        );
    }
}

bool is_graph_attribute(MemorySource source) {
    return source == MemorySource::graph_used || source == MemorySource::graph_used_high
           || source == MemorySource::graph_reserved || source == MemorySource::graph_reserved_high;
}

} // namespace

void add_call_metrics(const Run& run, SeriesList& list) {
    const PassResult* const pass = measured_pass(run, Pass::counts);
    if (pass == nullptr) {
        return;
    }
    for (const char* id :
         {"step.host_launch_calls", "step.captured_launch_calls", "step.sync_calls"}) {
        list.add(id, 0.0);
    }
    for (const ApiStat& stat : run.calls) {
        const double calls = real(stat.calls) / steps_of(*pass);
        const bool is_launch = stat.kind == ApiKind::kernel_launch;
        if (stat.is_captured) {
            list.add("step.captured_launch_calls", is_launch ? real(stat.calls) : 0.0);
            continue;
        }
        if (!is_of_step(stat)) {
            continue;
        }
        if (is_launch || stat.kind == ApiKind::graph_launch) {
            list.add("step.host_launch_calls", calls);
        }
        if (stat.kind == ApiKind::synchronize) {
            list.add("step.sync_calls", calls);
        }
        list.add("api.<call>.calls", fmt::format("api.{}.calls", stat.call), calls);
    }
}

void add_kernel_metrics(const Run& run, SeriesList& list) {
    const PassResult* const pass = measured_pass(run, Pass::nodes);
    if (pass == nullptr) {
        return;
    }
    for (const char* id :
         {"step.device_kernels", "step.memory_copies", "step.h2d_copies", "step.d2h_copies"}) {
        list.add(id, 0.0);
    }
    list.add("step.orphan_kernels", real(pass->orphans));
    for (const KernelStat& stat : run.kernels) {
        switch (stat.kind) {
        case ActivityKind::kernel:
            list.add("step.device_kernels", real(stat.launches) / steps_of(*pass));
            list.add(
                "op.<name>.blocks", op_id(stat.op, "blocks"), real(stat.blocks) / steps_of(*pass)
            );
            break;
        case ActivityKind::memory_copy: add_copies(stat, steps_of(*pass), list); break;
        case ActivityKind::memory_set: break;
        }
    }
    add_live_fractions(run, list);
}

void add_traced_times(const Run& run, SeriesList& list) {
    const PassResult* const pass = measured_pass(run, Pass::nodes);
    if (pass == nullptr || !run.measure.op.empty()) {
        return;
    }
    const std::optional<Estimate> untraced = untraced_step(run);
    std::map<std::int64_t, BatchTimes> times = batch_times(run);
    for (const TracedBatch& batch : pass->batches) {
        if (batch.steps <= 0) {
            continue;
        }
        const double steps = real(batch.steps);
        const double step = real(batch.gpu_time) / steps;
        list.add("step.traced_time", step);
        if (untraced && untraced->value > 0.0) {
            list.add("step.profiler_overhead", step / untraced->value);
        }
        if (run.step_records.empty()) {
            continue;
        }
        BatchTimes& parts = times[batch.ordinal];
        list.add("step.gap_time", parts.gap / steps);
        list.add("step.overlap_time", parts.overlap / steps);
        list.add("step.tail_time", parts.tail / steps);
        for (const OpKind op : traced_ops(run)) {
            list.add("op.<name>.time", op_id(op, "time"), parts.ops[op] / steps);
        }
    }
}

void add_graph_memory(const Run& run, SeriesList& list) {
    if (measured_pass(run, Pass::memory) == nullptr) {
        return;
    }
    std::optional<Bytes> peak;
    for (const MarkChange& change : mark_changes(run.marks, run.slack)) {
        const auto id = [](std::string_view name) {
            return fmt::format("graph_memory.{}.bytes", name);
        };
        if (change.mark == MemoryMark::replayed && is_graph_attribute(change.source)) {
            list.add(
                "graph_memory.<source>.bytes",
                id(to_string(change.source)),
                real(change.value.count)
            );
        }
        if (change.kind != MarkReadingKind::counted) {
            continue; // what did not move was served from memory that was held: no figure, and no 0
        }
        if (change.source == MemorySource::device_free) {
            list.add(
                "graph_memory.<mark>.bytes", id(to_string(change.mark)), real(change.change.count)
            );
        } else if (change.source == MemorySource::device_free_peak) {
            peak = std::max(peak.value_or(change.value), change.value);
        }
    }
    if (peak) {
        list.add("graph_memory.peak.bytes", real(peak->count));
    }
    if (const auto each = executable_cost(run.executables).each) {
        list.add("graph.exec.bytes", each->value);
    }
}

} // namespace kvprof::analyzers
