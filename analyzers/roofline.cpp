#include "analyzers/roofline.h"

#include "analyzers/as_double.h"
#include "analyzers/imported_runs.h"
#include "analyzers/pass_times.h"
#include "analyzers/time_ledger.h"
#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kvprof::analyzers {

namespace {

template<typename Row>
Row& row_of(std::vector<Row>& rows, OpKind op, Placement placement) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
        return row.op == op && row.placement == placement;
    });
    if (found != rows.end()) {
        return *found;
    }
    Row& row = rows.emplace_back();
    row.op = op;
    row.placement = placement;
    return row;
}

/// The highest bandwidth of device memory; 0: not measured.
double memory_bandwidth(const Ceilings& ceilings) {
    double best = 0.0;
    for (const CopyCeiling& copy : ceilings.copies) {
        best = copy.kind == CeilingKind::hbm ? std::max(best, copy.bytes_per_s) : best;
    }
    return best;
}

/// What a copy moves: read, and as much written.
double traffic_of(const CopyCeiling& copy) {
    return 2.0 * as_double(copy.copied.count);
}

/// The copy within L2 whose traffic is nearest to that of one launch, by their ratio; null when the
/// bytes of all launches are over the largest.
const CopyCeiling* cached_copy(const Ceilings& ceilings, double bytes, double launches) {
    const CopyCeiling* nearest = nullptr;
    double largest = 0.0;
    const auto distance = [&](const CopyCeiling& copy) {
        return std::abs(std::log(traffic_of(copy) / std::max(bytes / launches, 1.0)));
    };
    for (const CopyCeiling& copy : ceilings.copies) {
        if (copy.kind == CeilingKind::l2) {
            largest = std::max(largest, traffic_of(copy));
            nearest = nearest == nullptr || distance(copy) < distance(*nearest) ? &copy : nearest;
        }
    }
    return bytes <= largest ? nearest : nullptr;
}

/// Ops with their launches and bytes in `pieces` of a cycle: its steps, or launches of an op alone.
std::vector<RooflineRow> rows_of(const Run& run, double pieces) {
    std::vector<RooflineRow> rows;
    for (const OpStat& stat : run.ops) {
        const auto before = rows.size();
        RooflineRow& row = row_of(rows, stat.op, stat.placement);
        const bool is_new = rows.size() > before;
        row.launches += as_double(stat.launches + stat.copies) / pieces;
        const auto known = is_new ? std::optional(0.0) : row.bytes;
        row.bytes = known && stat.least_bytes
                        ? std::optional(*known + as_double(stat.least_bytes->count) / pieces)
                        : std::nullopt;
    }
    return rows;
}

void add_traced_times(const Run& run, std::vector<RooflineRow>& rows) {
    const std::optional<TimeLedger> ledger = time_ledger(run);
    if (!ledger) {
        return;
    }
    for (const TimeLine& line : ledger->parts) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const RooflineRow& each) {
            return line.op == each.op && line.placement == each.placement;
        });
        if (row != rows.end()) {
            row->time_ns = line.ns.value;
        }
    }
}

std::string why_no_floor(const Run& run) {
    const bool knows_bytes = std::any_of(run.ops.begin(), run.ops.end(), [](const OpStat& stat) {
        return stat.least_bytes.has_value();
    });
    if (!knows_bytes) {
        return "no floors: this run does not say what its ops have to move; one measured now does";
    }
    if (run.environment.executor == "host") {
        return "no floors: host times have no ceilings; --executor cuda measures on a GPU";
    }
    return run.ceilings ? std::string()
                        : "no floors: no ceilings of this device and driver were known when it was "
                          "measured; kvprof ceilings measures them for later runs";
}

/// The median of what the runs of a side know of an op.
template<typename Value>
std::optional<double>
median_of(const std::vector<Roofline>& side, const RooflineDelta& of, const Value& value) {
    std::vector<double> values;
    for (const Roofline& run : side) {
        for (const RooflineRow& row : run.rows) {
            const bool is_same = row.op == of.op && row.placement == of.placement;
            if (const std::optional<double> known = value(row); is_same && known) {
                values.push_back(*known);
            }
        }
    }
    return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

std::optional<double> floor_ns_of(const RooflineRow& row) {
    return row.floor ? std::optional(row.floor->ns) : std::nullopt;
}

std::optional<double> bytes_of(const RooflineRow& row) {
    return row.bytes;
}

std::optional<double> ratio_of(const RooflineRow& row) {
    return row.over_floor;
}

std::vector<Roofline> rooflines_of(const std::vector<Run>& runs) {
    std::vector<Roofline> all;
    std::transform(runs.begin(), runs.end(), std::back_inserter(all), roofline_of);
    return all;
}

} // namespace

std::optional<Floor>
floor_of(const Ceilings& ceilings, double launches, double bytes, bool may_be_cached) {
    if (launches <= 0.0) {
        return std::nullopt;
    }
    Floor floor{CeilingKind::node, launches * ceilings.node_ns};
    const CopyCeiling* const cached =
        may_be_cached ? cached_copy(ceilings, bytes, launches) : nullptr;
    const double bandwidth = cached != nullptr ? cached->bytes_per_s : memory_bandwidth(ceilings);
    const double moved_ns = bandwidth > 0.0 ? bytes / bandwidth * 1e9 : 0.0;
    if (moved_ns > floor.ns) {
        floor = {cached != nullptr ? CeilingKind::l2 : CeilingKind::hbm, moved_ns};
    }
    return floor.ns > 0.0 ? std::optional(floor) : std::nullopt;
}

Roofline roofline_of(const Run& run) {
    Roofline roofline;
    if (run.status.state != RunState::complete || is_imported(run) || run.ops.empty()) {
        return roofline;
    }
    roofline.is_alone = !run.measure.op.empty();
    const std::int64_t launches = roofline.is_alone ? run.measure.op_launches : 1;
    const double pieces =
        as_double(std::max<std::int64_t>(run.cycle_steps, 1) * std::max<std::int64_t>(launches, 1));
    roofline.rows = rows_of(run, pieces);
    if (!roofline.is_alone) {
        add_traced_times(run, roofline.rows);
    } else if (const auto replay = untraced_step(run); replay && roofline.rows.size() == 1) {
        roofline.rows.front().time_ns = replay->value / as_double(launches);
    }
    roofline.why_no_floor = why_no_floor(run);
    if (!roofline.why_no_floor.empty()) {
        return roofline;
    }
    // Of several launches in a graph only the first starts cold.
    const bool may_be_cached = run.measure.l2 == L2Mode::warm || launches > 1;
    for (RooflineRow& row : roofline.rows) {
        if (row.bytes) {
            row.floor = floor_of(*run.ceilings, row.launches, *row.bytes, may_be_cached);
        }
        if (row.floor && row.time_ns && row.floor->ns > 0.0) {
            row.over_floor = *row.time_ns / row.floor->ns;
        }
    }
    return roofline;
}

std::optional<double> over_floor(const Run& run) {
    const Roofline roofline = roofline_of(run);
    return roofline.is_alone && roofline.rows.size() == 1 ? roofline.rows.front().over_floor
                                                          : std::nullopt;
}

std::vector<RooflineDelta>
roofline_deltas(const std::vector<Run>& base, const std::vector<Run>& candidate) {
    const std::vector<Roofline> a = rooflines_of(base);
    const std::vector<Roofline> b = rooflines_of(candidate);
    std::vector<RooflineDelta> deltas;
    bool knows_bytes = false;
    for (const auto* side : {&a, &b}) {
        for (const Roofline& run : *side) {
            for (const RooflineRow& row : run.rows) {
                static_cast<void>(row_of(deltas, row.op, row.placement));
                knows_bytes = knows_bytes || row.bytes;
            }
        }
    }
    if (!knows_bytes) {
        return {};
    }
    for (RooflineDelta& delta : deltas) {
        delta.base_bytes = median_of(a, delta, bytes_of);
        delta.candidate_bytes = median_of(b, delta, bytes_of);
        delta.base_floor_ns = median_of(a, delta, floor_ns_of);
        delta.candidate_floor_ns = median_of(b, delta, floor_ns_of);
        delta.base_over_floor = median_of(a, delta, ratio_of);
        delta.candidate_over_floor = median_of(b, delta, ratio_of);
    }
    return deltas;
}

} // namespace kvprof::analyzers
