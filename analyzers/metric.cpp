#include "analyzers/metric.h"

#include "analyzers/profile_catalogue.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace kvprof::analyzers {

namespace {

using enum Direction;
using enum MetricKind;
using enum Unit;

constexpr std::array kCatalogue{
    MetricDef{
        "step.gpu_time",
        nanoseconds,
        lower,
        sampled,
        "time of one step between two device events; on the host executor, host time"},
    MetricDef{
        "step.gpu_time_p99",
        nanoseconds,
        lower,
        sampled,
        "99th percentile of the steps of a run, each between two device events; only where every "
        "sample that was kept is one replay and there are at least 1,000"},
    MetricDef{
        "step.wall_time", nanoseconds, lower, sampled, "time of one step on the host's clock"},
    MetricDef{
        "op.gpu_time",
        nanoseconds,
        lower,
        sampled,
        "time of one launch of the op that --op measures alone, between two device events"},
    MetricDef{
        "op.wall_time",
        nanoseconds,
        lower,
        sampled,
        "time of one launch of the op that --op measures alone, on the host's clock"},
    MetricDef{
        "step.host_before",
        nanoseconds,
        lower,
        sampled,
        "host time of one step for issuing what runs before the replay, untraced"},
    MetricDef{
        "step.host_launch",
        nanoseconds,
        lower,
        sampled,
        "host time of one step inside the graph launch call, untraced"},
    MetricDef{
        "step.host_after",
        nanoseconds,
        lower,
        sampled,
        "host time of one step from the graph launch until the next step may start, untraced"},
    MetricDef{
        "step.launches",
        count,
        lower,
        exact,
        "kernels of one step: launched before the replay, and nodes of the graph"},
    MetricDef{
        "step.launches_out", count, lower, exact, "kernel launches of one step before the replay"},
    MetricDef{"step.copies", count, lower, exact, "memory copies and fills of one step"},
    MetricDef{
        "step.host_launch_calls",
        count,
        lower,
        exact,
        "API calls of one step that launch a kernel or a graph, as CUPTI saw them",
        Pass::counts},
    MetricDef{
        "step.captured_launch_calls",
        count,
        neither,
        exact,
        "API calls that launch a kernel and became a node, in one capture of the graph",
        Pass::counts},
    MetricDef{
        "step.sync_calls",
        count,
        lower,
        exact,
        "API calls of one step that make the host wait for the device",
        Pass::counts},
    MetricDef{
        "step.device_kernels",
        count,
        lower,
        exact,
        "kernels that ran in one step, inside the graph and outside, as CUPTI recorded them",
        Pass::nodes},
    MetricDef{
        "step.memory_copies",
        count,
        lower,
        exact,
        "memory copies that ran in one step, as CUPTI recorded them",
        Pass::nodes},
    MetricDef{
        "step.h2d_copies",
        count,
        lower,
        exact,
        "memory copies of one step from host to device",
        Pass::nodes},
    MetricDef{
        "step.d2h_copies",
        count,
        lower,
        exact,
        "memory copies of one step from device to host",
        Pass::nodes},
    MetricDef{"graph.nodes", count, lower, exact, "kernel nodes of the captured graph"},
    MetricDef{
        "step.traced_time",
        nanoseconds,
        neither,
        sampled,
        "time of one step of the nodes pass between two device events: with a tracer, so never "
        "compared with step.gpu_time",
        Pass::nodes},
    MetricDef{
        "step.profiler_overhead",
        ratio,
        neither,
        sampled,
        "the traced step of the nodes pass, a mean, over the median of step.gpu_time",
        Pass::nodes},
    MetricDef{
        "step.gap_time",
        nanoseconds,
        neither,
        sampled,
        "time inside one traced step in which no record runs",
        Pass::nodes},
    MetricDef{
        "step.overlap_time",
        nanoseconds,
        neither,
        sampled,
        "durations of one traced step, added up, less the time in which any record runs",
        Pass::nodes},
    MetricDef{
        "step.tail_time",
        nanoseconds,
        neither,
        sampled,
        "time between the last record of a traced step and the first of the next; a batch's last "
        "step "
        "counts with the mean of its others, and a batch without any has no value",
        Pass::nodes},
    MetricDef{
        "ledger.<group>.bytes",
        bytes,
        lower,
        exact,
        "bytes that the program requested for a group of buffers: graph, tables, inputs, pool, "
        "..."},
    MetricDef{
        "graph.exec.bytes",
        bytes,
        lower,
        sampled,
        "device memory of one executable of the graph: the slope over several that are held at "
        "once",
        Pass::memory},
    MetricDef{
        "graph_memory.<source>.bytes",
        bytes,
        lower,
        exact,
        "bytes that the driver's own attributes name after the replays: graph-used, graph-used-"
        "high, graph-reserved, graph-reserved-high",
        Pass::memory},
    MetricDef{
        "graph_memory.<mark>.bytes",
        bytes,
        lower,
        sampled,
        "growth of the used memory that the device reports, from the mark before to this one; "
        "absent when it did not move, which proves nothing",
        Pass::memory},
    MetricDef{
        "graph_memory.peak.bytes",
        bytes,
        lower,
        sampled,
        "the most by which used device memory grew at any moment up to the first replay; absent "
        "when it did not move",
        Pass::memory},
    MetricDef{
        "op.<name>.time",
        nanoseconds,
        neither,
        sampled,
        "durations of one op's records in one traced step, added up",
        Pass::nodes},
    MetricDef{
        "op.<name>.launches", count, neither, exact, "kernels of one op in one step; 0 without it"},
    MetricDef{
        "op.<name>.blocks",
        count,
        neither,
        exact,
        "blocks that the kernels of one op launch in one step",
        Pass::nodes},
    MetricDef{
        "op.<name>.live_fraction",
        ratio,
        neither,
        exact,
        "blocks with work over blocks launched, of those kernels of one op that have a rule for it",
        Pass::nodes},
    MetricDef{
        "api.<call>.calls",
        count,
        neither,
        exact,
        "calls of one API function in one step, captured ones left out",
        Pass::counts},
    MetricDef{
        "ledger.<buffer>.bytes",
        bytes,
        neither,
        exact,
        "bytes that the program requested for one buffer; 0 without it"},
    MetricDef{
        "device_free.<name>.bytes",
        bytes,
        lower,
        sampled,
        "growth of the used memory that the device reports, from before to after the step's "
        "set-up: "
        "a lower bound, so an equal figure proves nothing"}};

} // namespace

std::span<const MetricDef> metric_catalogue() {
    static const std::vector<MetricDef> kAll = [] {
        const auto profiles = profile_catalogue();
        std::vector<MetricDef> rows(profiles.begin(), profiles.end());
        rows.insert(rows.begin(), kCatalogue.begin(), kCatalogue.end());
        return rows;
    }();
    return kAll;
}

const MetricDef& metric(std::string_view id) {
    const std::span<const MetricDef> rows = metric_catalogue();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const MetricDef& row) { return row.id == id; });
    if (found == rows.end()) {
        throw std::logic_error(fmt::format("the metric catalogue has no {}", id));
    }
    return *found;
}

std::string format_value(Unit unit, double value) {
    switch (unit) {
    case nanoseconds: return format_duration_ns(value);
    case bytes: return format_bytes(Bytes{std::llround(value)});
    case count:
        return value == std::floor(value) ? format_count(std::llround(value))
                                          : fmt::format("{:.2f}", value);
    case ratio: return fmt::format("{:.3f}", value);
    }
    return {};
}

} // namespace kvprof::analyzers
