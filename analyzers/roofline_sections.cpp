#include "analyzers/roofline_sections.h"

#include "analyzers/metric.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvprof::analyzers {

namespace {

std::string bytes_cell(const std::optional<double>& bytes) {
    return bytes ? format_bytes(Bytes{std::llround(*bytes)}) : "-";
}

std::string time_cell(const std::optional<double>& ns) {
    return ns ? format_duration_ns(*ns) : "-";
}

std::string_view bound_words(CeilingKind bound) {
    switch (bound) {
    case CeilingKind::node: return "nodes";
    case CeilingKind::hbm: return "memory";
    case CeilingKind::l2: return "L2";
    }
    return "";
}

std::vector<Cell> row_cells(const RooflineRow& row) {
    return {
        std::string(to_string(row.op)),
        std::string(to_string(row.placement)),
        format_value(Unit::count, row.launches),
        bytes_cell(row.bytes),
        row.floor ? format_duration_ns(row.floor->ns) : "-",
        row.floor ? std::string(bound_words(row.floor->bound)) : "-",
        time_cell(row.time_ns),
        over_floor_cell(row.over_floor)};
}

/// "ceilings of 2026-11-29T10:00:00Z: node 0.74 us, memory 4.25 TB/s, L2 2.66 TB/s (2.0 MiB), ..."
std::string describe_short(const Ceilings& ceilings) {
    std::vector<std::string> words;
    if (ceilings.node_ns > 0.0) {
        words.push_back("node " + format_duration_ns(ceilings.node_ns));
    }
    for (const CopyCeiling& copy : ceilings.copies) {
        words.push_back(fmt::format(
            "{} {} ({})",
            bound_words(copy.kind),
            bandwidth_text(copy.bytes_per_s),
            format_bytes(copy.copied)
        ));
    }
    if (words.empty()) {
        words.emplace_back("none with a figure; kvprof ceilings --remeasure measures them again");
    }
    return fmt::format("ceilings of {}: {}", ceilings.measured_at, fmt::join(words, ", "));
}

} // namespace

std::string bandwidth_text(double bytes_per_s) {
    return fmt::format("{:.2f} TB/s", bytes_per_s / 1e12);
}

std::string over_floor_cell(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

Section roofline_section(const Run& run) {
    const Roofline roofline = roofline_of(run);
    Section section{"roofline", std::nullopt, {}};
    const bool knows_bytes =
        std::any_of(roofline.rows.begin(), roofline.rows.end(), [](const RooflineRow& row) {
            return row.bytes.has_value();
        });
    if (!knows_bytes) {
        return section; // of an older program: nothing to say that would be its own
    }
    Table table(
        {{"op"},
         {"placement"},
         {"launches", Align::right},
         {"least bytes", Align::right},
         {"floor", Align::right},
         {"bound by"},
         {roofline.is_alone ? "time" : "time, traced", Align::right},
         {"over floor", Align::right}}
    );
    for (const RooflineRow& row : roofline.rows) {
        table.add(row_cells(row));
    }
    section.table = std::move(table);
    section.lines.push_back(
        roofline.is_alone ? "of one launch of the op; its time is the timing pass's"
                          : "of one step; times are those of the nodes pass, as traced"
    );
    section.lines.push_back(
        roofline.why_no_floor.empty() ? describe_short(*run.ceilings) : roofline.why_no_floor
    );
    return section;
}

Section roofline_delta_section(const std::vector<Run>& base, const std::vector<Run>& candidate) {
    Section section{"roofline", std::nullopt, {}};
    const std::vector<RooflineDelta> deltas = roofline_deltas(base, candidate);
    if (deltas.empty()) {
        return section;
    }
    Table table(
        {{"op"},
         {"placement"},
         {"least bytes, base", Align::right},
         {"candidate", Align::right},
         {"floor, base", Align::right},
         {"candidate", Align::right},
         {"over floor, base", Align::right},
         {"candidate", Align::right}}
    );
    for (const RooflineDelta& delta : deltas) {
        table.add(
            {std::string(to_string(delta.op)),
             std::string(to_string(delta.placement)),
             bytes_cell(delta.base_bytes),
             bytes_cell(delta.candidate_bytes),
             time_cell(delta.base_floor_ns),
             time_cell(delta.candidate_floor_ns),
             over_floor_cell(delta.base_over_floor),
             over_floor_cell(delta.candidate_over_floor)}
        );
    }
    section.table = std::move(table);
    const auto alone = [](const std::vector<Run>& runs) {
        return !runs.empty() && !runs.front().measure.op.empty();
    };
    section.lines.push_back(
        alone(base) ? "of one launch of the op, medians over runs; times are the timing pass's"
                    : "of one step, medians over runs; times are those of the nodes pass, as traced"
    );
    const auto why = std::find_if(base.begin(), base.end(), [](const Run& run) {
        return !roofline_of(run).why_no_floor.empty();
    });
    if (why != base.end()) {
        section.lines.push_back(roofline_of(*why).why_no_floor);
    }
    return section;
}

Section ceilings_section(const std::vector<Ceilings>& all) {
    Table table(
        {{"device"},
         {"driver"},
         {"measured"},
         {"ceiling"},
         {"copied", Align::right},
         {"reached", Align::right}}
    );
    for (const Ceilings& ceilings : all) {
        const auto add = [&](std::string_view what, std::string copied, std::string reached) {
            table.add(
                {ceilings.device_uuid,
                 ceilings.driver,
                 ceilings.measured_at,
                 std::string(what),
                 std::move(copied),
                 std::move(reached)}
            );
        };
        for (const CopyCeiling& copy : ceilings.copies) {
            add(bound_words(copy.kind), format_bytes(copy.copied), bandwidth_text(copy.bytes_per_s)
            );
        }
        const bool is_known = ceilings.node_ns > 0.0;
        add("node of a graph", "-", is_known ? format_duration_ns(ceilings.node_ns) : "-");
    }
    return {
        "ceilings",
        std::move(table),
        {"copies count what they read and write; a launch takes at least a node's time"}};
}

} // namespace kvprof::analyzers
