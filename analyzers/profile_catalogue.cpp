#include "analyzers/profile_catalogue.h"

#include <array>

namespace kvprof::analyzers {

namespace {

using enum Direction;
using enum MetricKind;
using enum Unit;

/// A metric of imported profiles alone.
constexpr MetricDef
of_profile(std::string_view id, Unit unit, Direction better, std::string_view doc) {
    const MetricKind kind = unit == nanoseconds ? sampled : exact;
    return {id, unit, better, kind, doc, Pass::timing, true};
}

constexpr std::array kProfiles{
    of_profile(
        "gpu.kernel.sum",
        nanoseconds,
        lower,
        "durations of kernels, added up over devices and ranks"
    ),
    of_profile(
        "gpu.kernel.union",
        nanoseconds,
        lower,
        "time in which at least one kernel ran, a device each, added up"
    ),
    of_profile(
        "gpu.busy",
        nanoseconds,
        neither,
        "time in which a kernel, a copy, a fill or a whole replay ran, a device each, added up"
    ),
    of_profile(
        "gpu.idle", nanoseconds, neither, "the GPU span of a rank less its busy time, added up"
    ),
    of_profile(
        "span.wall",
        nanoseconds,
        lower,
        "first start to last end of operators, API calls and GPU work, of the longest rank"
    ),
    of_profile(
        "span.gpu", nanoseconds, neither, "first start to last end of GPU work, of the longest rank"
    ),
    of_profile(
        "span.kernel",
        nanoseconds,
        neither,
        "first start to last end of kernels, of the longest rank"
    ),
    of_profile(
        "cpu_op.top",
        nanoseconds,
        lower,
        "durations of operators that no other of their thread encloses, added up"
    ),
    of_profile(
        "cpu_op.inclusive",
        nanoseconds,
        neither,
        "durations of all operators, added up: nested ones count again"
    ),
    of_profile("api.sum", nanoseconds, neither, "durations of API calls, added up"),
    of_profile(
        "step.kernel_time",
        nanoseconds,
        lower,
        "durations of the kernels that one step of one rank launched, added up; a value a step"
    ),
    of_profile(
        "step.period",
        nanoseconds,
        neither,
        "length of a step's annotation, or from one step's first launch to the next one's; a value "
        "a step"
    ),
    of_profile("gpu.kernel.count", count, lower, "kernels that ran"),
    of_profile("gpu.memcpy.count", count, lower, "memory copies that ran"),
    of_profile("gpu.memset.count", count, lower, "memory fills that ran"),
    of_profile(
        "api.launch",
        count,
        lower,
        "calls that launch a kernel, by any name; a runtime call and the driver call under it are "
        "one"
    ),
    of_profile("api.graph_launch", count, neither, "calls that launch a graph"),
    of_profile("api.memcpy", count, lower, "calls that copy memory"),
    of_profile("api.memset", count, neither, "calls that fill memory"),
    of_profile("api.sync", count, lower, "calls that wait for the device"),
    of_profile(
        "kernels.eager.count", count, neither, "kernels that a launch call of the file started"
    ),
    of_profile("kernels.eager.sum", nanoseconds, neither, "their durations, added up"),
    of_profile(
        "kernels.graph.count", count, neither, "kernels that a graph launch of the file started"
    ),
    of_profile("kernels.graph.sum", nanoseconds, neither, "their durations, added up"),
    of_profile("kernels.orphan.count", count, neither, "kernels whose launch is not in the file"),
    of_profile("kernels.orphan.sum", nanoseconds, neither, "their durations, added up"),
    of_profile(
        "graph_trace.count",
        count,
        neither,
        "replays that were recorded as a whole; their kernels are unknown"
    ),
    of_profile("graph_trace.sum", nanoseconds, neither, "their durations, added up"),
    of_profile("gpu.memcpy.sum", nanoseconds, neither, "durations of memory copies, added up"),
    of_profile("gpu.memset.sum", nanoseconds, neither, "durations of memory fills, added up"),
    of_profile("gpu.devices", count, neither, "devices that worked, a rank each"),
    of_profile("cpu_op.count", count, neither, "operators"),
    of_profile(
        "cpu_op.top.count", count, neither, "operators that no other of their thread encloses"
    ),
    of_profile("api.calls", count, neither, "API calls"),
    of_profile("steps.count", count, neither, "steps of all ranks, skipped ones left out"),
    of_profile("steps.skipped", count, neither, "steps of all ranks that were skipped"),
    of_profile(
        "steps.graph_launches",
        count,
        neither,
        "graph launches of a step, where steps were found by them"
    ),
    of_profile(
        "gpu.kernel.untimed", count, neither, "kernels without a timestamp: they count in no time"
    ),
    of_profile("graph_trace.untimed", count, neither, "whole replays without a timestamp"),
    of_profile("quality.rejected", count, neither, "events that could not be used"),
    of_profile(
        "quality.same_stream_overlaps",
        count,
        neither,
        "kernels that start before the one before them on their stream has ended"
    ),
    of_profile("quality.same_stream_overlap_time", nanoseconds, neither, "by how much, added up"),
    of_profile(
        "quality.launches_without_kernel",
        count,
        neither,
        "launch calls whose kernel is not in the file"
    ),
    of_profile(
        "quality.graphs_without_kernels",
        count,
        neither,
        "graph launches without any work in the file"
    ),
    of_profile(
        "quality.kernels_before_launch",
        count,
        neither,
        "kernels that start before the call that launched them"
    ),
    of_profile("api.<call>", count, neither, "calls of one API function")};

} // namespace

std::span<const MetricDef> profile_catalogue() {
    return kProfiles;
}

} // namespace kvprof::analyzers
