#include "analyzers/trace_metrics.h"

#include "analyzers/as_double.h"
#include "analyzers/executable_cost.h"
#include "analyzers/memory_marks.h"
#include "analyzers/pass_times.h"
#include "analyzers/profile_metrics.h"
#include "analyzers/step_calls.h"
#include "analyzers/step_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace kvprof::analyzers {

namespace {

/// The steps that a pass counted; at least 1, so that a pass without any divides nothing by 0.
double counted_steps(const PassResult& pass) {
    return as_double(std::max<std::int64_t>(pass.steps, 1));
}

std::string op_id(OpKind op, const char* what) {
    return fmt::format("op.{}.{}", to_string(op), what);
}

/// What the steps of each batch spent on one part, ns. Batches in which nobody knows are missing.
struct BatchSums {
    TimePart part{};
    std::optional<OpKind> op;
    std::map<std::int64_t, double> ns;
};

/// An op that runs in both placements has one time.
std::vector<BatchSums> batch_sums(const Run& run) {
    std::vector<BatchSums> sums;
    for (const StepPart& part : step_parts(run)) {
        auto sum = std::find_if(sums.begin(), sums.end(), [&](const BatchSums& known) {
            return known.part == part.part && known.op == part.op;
        });
        if (sum == sums.end()) {
            sum = sums.insert(sums.end(), {part.part, part.op, {}});
        }
        for (std::size_t i = 0; i < part.ns.size(); ++i) {
            if (part.ns[i]) {
                sum->ns[run.step_records[i].batch] += *part.ns[i];
            }
        }
    }
    return sums;
}

/// One part of a batch of the nodes pass, a step.
void add_part(const BatchSums& sum, const TracedBatch& batch, SeriesList& list) {
    const auto found = sum.ns.find(batch.ordinal);
    if (found == sum.ns.end()) {
        return;
    }
    const double ns = found->second / as_double(batch.steps);
    switch (sum.part) {
    case TimePart::op: list.add("op.<name>.time", op_id(*sum.op, "time"), ns); break;
    case TimePart::overlap: list.add("step.overlap_time", 0.0 - ns); break;
    case TimePart::gap: list.add("step.gap_time", ns); break;
    case TimePart::tail: list.add("step.tail_time", ns); break;
    case TimePart::unexplained: break;
    }
}

void add_copies(const KernelStat& stat, double steps, SeriesList& list) {
    const double copies = as_double(stat.launches) / steps;
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
        if (stat.op && stat.blocks_with_work && stat.blocks > 0) {
            blocks[*stat.op].launched += stat.blocks;
            blocks[*stat.op].with_work += *stat.blocks_with_work;
        }
    }
    for (const auto& [op, count] : blocks) {
        list.add(
            "op.<name>.live_fraction",
            op_id(op, "live_fraction"),
            as_double(count.with_work) / as_double(count.launched)
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
    // Of imported steps the launches are known; other calls are of the whole window.
    const std::optional<KeptSteps> kept = kept_steps(run);
    list.add("step.host_launch_calls", kept ? kept->launches : 0.0);
    list.add("step.captured_launch_calls", 0.0);
    const bool has_sync_calls = !kept || kept->is_all;
    if (has_sync_calls) {
        list.add("step.sync_calls", 0.0);
    }
    const auto graphs = as_double(std::max<std::int64_t>(pass->graphs, 1));
    for (const ApiStat& stat : run.calls) {
        if (!run.profile && !is_of_step(stat.role)) {
            continue;
        }
        const double calls = as_double(stat.calls) / counted_steps(*pass);
        const bool is_launch = stat.kind == ApiKind::kernel_launch;
        if (stat.is_captured) {
            list.add(
                "step.captured_launch_calls", is_launch ? as_double(stat.calls) / graphs : 0.0
            );
            continue;
        }
        if (!kept && (is_launch || stat.kind == ApiKind::graph_launch)) {
            list.add("step.host_launch_calls", calls);
        }
        if (has_sync_calls && stat.kind == ApiKind::synchronize) {
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
    // Of imported steps the kernels are known; copies are of the whole window.
    const std::optional<KeptSteps> kept = kept_steps(run);
    const bool has_copies = !kept || kept->is_all;
    list.add("step.device_kernels", kept ? kept->kernels : 0.0);
    if (has_copies) {
        for (const char* id : {"step.memory_copies", "step.h2d_copies", "step.d2h_copies"}) {
            list.add(id, 0.0);
        }
    }
    for (const KernelStat& stat : run.kernels) {
        switch (stat.kind) {
        case ActivityKind::kernel:
            if (!kept) {
                list.add("step.device_kernels", as_double(stat.launches) / counted_steps(*pass));
            }
            if (stat.op) {
                list.add(
                    "op.<name>.blocks",
                    op_id(*stat.op, "blocks"),
                    as_double(stat.blocks) / counted_steps(*pass)
                );
            }
            break;
        case ActivityKind::memory_copy:
            if (has_copies) {
                add_copies(stat, counted_steps(*pass), list);
            }
            break;
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
    const std::optional<Estimate> traced = traced_step(*pass);
    const std::optional<Estimate> untraced = untraced_step(run);
    if (traced && untraced && untraced->value > 0.0) { // the ledger's: one figure a run
        list.add("step.profiler_overhead", traced->value / untraced->value);
    }
    const std::vector<BatchSums> sums = batch_sums(run);
    for (const TracedBatch& batch : pass->batches) {
        if (batch.steps <= 0) {
            continue;
        }
        const double step = as_double(batch.gpu_time) / as_double(batch.steps);
        list.add("step.traced_time", step);
        for (const BatchSums& sum : sums) {
            add_part(sum, batch, list);
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
                as_double(change.value.count)
            );
        }
        if (change.kind != MarkReadingKind::counted) {
            continue; // what did not move was served from memory that was held: no figure, and no 0
        }
        if (change.source == MemorySource::device_free) {
            list.add(
                "graph_memory.<mark>.bytes",
                id(to_string(change.mark)),
                as_double(change.change.count)
            );
        } else if (change.source == MemorySource::device_free_peak) {
            peak = std::max(peak.value_or(change.value), change.value);
        }
    }
    if (peak) {
        list.add("graph_memory.peak.bytes", as_double(peak->count));
    }
    if (const auto each = executable_cost(run.executables).each) {
        list.add("graph.exec.bytes", each->value);
    }
}

} // namespace kvprof::analyzers
