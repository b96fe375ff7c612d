#include "analyzers/metric.h"

#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

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
        "step.launches",
        count,
        lower,
        exact,
        "kernels of one step: launched before the replay, and nodes of the graph"},
    MetricDef{
        "step.launches_out", count, lower, exact, "kernel launches of one step before the replay"},
    MetricDef{"step.copies", count, lower, exact, "memory copies and fills of one step"},
    MetricDef{"graph.nodes", count, lower, exact, "kernel nodes of the captured graph"},
    MetricDef{
        "ledger.<group>.bytes",
        bytes,
        lower,
        exact,
        "bytes that the program requested for a group of buffers: graph, tables, inputs, pool, "
        "..."},
    MetricDef{
        "op.<name>.launches", count, neither, exact, "kernels of one op in one step; 0 without it"},
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
    return kCatalogue;
}

const MetricDef& metric(std::string_view id) {
    const auto* const found =
        std::find_if(kCatalogue.begin(), kCatalogue.end(), [&](const MetricDef& row) {
            return row.id == id;
        });
    if (found == kCatalogue.end()) {
        throw std::logic_error(fmt::format("the metric catalogue has no {}", id));
    }
    return *found;
}

std::string format_value(Unit unit, double value) {
    switch (unit) {
    case nanoseconds: return format_duration_ns(value);
    case bytes: return format_bytes(Bytes{std::llround(value)});
    case count: return format_count(std::llround(value));
    }
    return {};
}

} // namespace kvprof::analyzers
