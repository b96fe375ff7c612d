#include "analyzers/as_double.h"
#include "analyzers/metric.h"
#include "analyzers/pass_times.h"
#include "analyzers/run_sections.h"
#include "analyzers/step_calls.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <map>

namespace kvprof::analyzers {

namespace {

/// "2", "0.25": of one step, or of one graph.
std::string each_step(std::int64_t count, std::int64_t steps) {
    return steps > 0 ? format_value(Unit::count, as_double(count) / as_double(steps)) : "-";
}

std::string percent(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? fmt::format("{:.1f} %", 100.0 * as_double(part) / as_double(whole)) : "-";
}

/// "page-table", "replay", "none".
std::string caller_of(const ApiStat& stat) {
    return std::string(stat.op ? to_string(*stat.op) : to_string(stat.role));
}

/// A record of the graph pass is the span of a replay, and a step has one replay: there is no op to
/// find and no node id.
std::string coverage_line(const PassResult& pass) {
    const bool has_nodes = pass.pass == Pass::nodes;
    std::string line = fmt::format(
        "{}: {} {} of {} {}",
        to_string(pass.pass),
        format_count(pass.records),
        has_nodes ? "records" : "spans",
        format_count(pass.steps),
        has_nodes ? "steps" : "replays"
    );
    if (has_nodes) {
        line += fmt::format(
            "; attributed by node id {}, by launch {}; of no op {}",
            percent(pass.by_node, pass.records),
            percent(pass.by_launch, pass.records),
            format_count(pass.unattributed)
        );
    }
    line += fmt::format(
        "; orphans {}, dropped {}, untimed {}",
        format_count(pass.orphans),
        format_count(pass.dropped),
        format_count(pass.untimed)
    );
    if (has_nodes) {
        line += fmt::format("; {} node ids cross-checked", format_count(pass.nodes_cross_checked));
    }
    return line;
}

struct CopySum {
    std::int64_t count = 0;
    std::int64_t ns = 0;
};

/// The copies by direction, then the fills; with zeros, because no copy is a fact too.
std::vector<std::pair<std::string, CopySum>> copy_sums(const Run& run) {
    std::vector<std::pair<std::string, CopySum>> sums{
        {"host-to-device copies", {}},
        {"device-to-host copies", {}},
        {"device-to-device copies", {}},
        {"other copies", {}},
        {"fills", {}}};
    constexpr std::size_t kFills = 4;
    const auto row_of = [](const KernelStat& stat) -> std::size_t {
        switch (stat.copy) {
        case CopyKind::host_to_device: return 0;
        case CopyKind::device_to_host: return 1;
        case CopyKind::device_to_device: return 2;
        case CopyKind::none:
        case CopyKind::other: return 3;
        }
        return 3;
    };
    for (const KernelStat& stat : run.kernels) {
        if (stat.kind == ActivityKind::kernel) {
            continue;
        }
        CopySum& sum = sums[stat.kind == ActivityKind::memory_set ? kFills : row_of(stat)].second;
        sum.count += stat.launches;
        sum.ns += stat.time.count();
    }
    return sums;
}

} // namespace

Section copies_section(const Run& run) {
    Table table({{"what"}, {"a step", Align::right}, {"per step", Align::right}, {"seen by"}});
    const PassResult* const nodes = measured_pass(run, Pass::nodes);
    if (nodes != nullptr && nodes->steps > 0) {
        for (const auto& [what, sum] : copy_sums(run)) {
            table.add(
                {what,
                 each_step(sum.count, nodes->steps),
                 sum.count > 0 ? format_duration_ns(as_double(sum.ns) / as_double(nodes->steps))
                               : "-",
                 "nodes pass, on the device"}
            );
        }
    }
    if (const PassResult* const counts = measured_pass(run, Pass::counts);
        counts != nullptr && counts->steps > 0) {
        std::int64_t syncs = 0;
        for (const ApiStat& stat : run.calls) {
            const bool is_sync = stat.kind == ApiKind::synchronize;
            syncs += is_sync && is_of_step(stat.role) && !stat.is_captured ? stat.calls : 0;
        }
        table.add(
            {"synchronising calls",
             each_step(syncs, counts->steps),
             "-",
             "counts pass, on the host"}
        );
    }
    return {"copies and waits", table.empty() ? std::nullopt : std::optional(std::move(table)), {}};
}

Section calls_section(const Run& run) {
    const PassResult* const counts = measured_pass(run, Pass::counts);
    if (counts == nullptr || run.calls.empty()) {
        return {};
    }
    Table table(
        {{"call"},
         {"kind"},
         {"by"},
         {"a step", Align::right},
         {"captured", Align::right},
         {"failed", Align::right}}
    );
    for (const ApiStat& stat : run.calls) {
        table.add(
            {Cell::code(stat.call),
             std::string(to_string(stat.kind)),
             caller_of(stat),
             stat.is_captured ? "-" : each_step(stat.calls, counts->steps),
             stat.is_captured ? each_step(stat.calls, counts->graphs) : "-",
             format_count(stat.failed)}
        );
    }
    return {"API calls (counts pass; captured calls became nodes, once)", std::move(table), {}};
}

Section coverage_section(const Run& run) {
    Section section{"coverage of the traces", std::nullopt, {}};
    for (const PassResult& pass : run.passes) {
        if (pass.failure.empty() && pass.records > 0) {
            section.lines.push_back(coverage_line(pass));
        }
    }
    const PassResult* const nodes = measured_pass(run, Pass::nodes);
    if (nodes != nullptr && nodes->steps > 0) {
        std::int64_t in_graph = 0;
        for (const KernelStat& stat : run.kernels) {
            const bool is_node = stat.placement == Placement::in;
            in_graph += is_node && stat.kind == ActivityKind::kernel ? stat.launches : 0;
        }
        section.lines.push_back(fmt::format(
            "graph: {} kernel nodes captured, {} kernel records of it a replay",
            format_count(run.graph_nodes),
            each_step(in_graph, nodes->steps)
        ));
    }
    return section;
}

} // namespace kvprof::analyzers
