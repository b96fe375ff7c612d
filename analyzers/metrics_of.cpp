#include "analyzers/metrics_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::analyzers {

namespace {

/// Collects series under their ids; a second value under an exact id is added to the first.
class SeriesList {
  public:
    void add(std::string_view metric_id, std::string id, double value) {
        const MetricDef& definition = metric(metric_id);
        const auto found = std::find_if(list_.begin(), list_.end(), [&](const Series& series) {
            return series.metric == &definition && series.id == id;
        });
        if (found == list_.end()) {
            list_.push_back({std::move(id), &definition, {value}});
        } else if (definition.kind == MetricKind::exact) {
            found->values.front() += value;
        } else {
            found->values.push_back(value);
        }
    }

    void add(std::string_view metric_id, double value) {
        add(metric_id, std::string(metric_id), value);
    }

    [[nodiscard]] std::vector<Series> in_catalogue_order() && {
        std::stable_sort(list_.begin(), list_.end(), [](const Series& a, const Series& b) {
            return a.metric < b.metric;
        });
        return std::move(list_);
    }

  private:
    std::vector<Series> list_;
};

double real(std::int64_t value) {
    return static_cast<double>(value);
}

void add_times(const Run& run, SeriesList& list) {
    const bool is_op = !run.measure.op.empty();
    for (const Sample& sample : run.samples) {
        const std::int64_t pieces =
            is_op ? sample.replays * run.measure.op_launches : sample.replays;
        if (sample.discarded || pieces <= 0) {
            continue;
        }
        list.add(
            is_op ? "op.gpu_time" : "step.gpu_time", real(sample.gpu_time.count()) / real(pieces)
        );
        list.add(
            is_op ? "op.wall_time" : "step.wall_time", real(sample.wall_time.count()) / real(pieces)
        );
    }
}

void add_counts(const Run& run, SeriesList& list) {
    const double steps = real(std::max<std::int64_t>(run.cycle_steps, 1));
    for (const OpStat& stat : run.ops) {
        const double launches = real(stat.launches) / steps;
        const bool is_out = stat.placement == Placement::out;
        list.add("step.launches", launches);
        list.add("step.launches_out", is_out ? launches : 0.0);
        list.add("step.copies", real(stat.copies) / steps);
        list.add("op.<name>.launches", fmt::format("op.{}.launches", to_string(stat.op)), launches);
    }
    list.add("graph.nodes", real(run.graph_nodes));
}

void add_memory(const Run& run, SeriesList& list) {
    for (const MemoryStat& stat : run.memory) {
        const double bytes = real(stat.bytes.count);
        switch (stat.source) {
        case MemorySource::ledger:
            list.add("ledger.<group>.bytes", fmt::format("ledger.{}.bytes", stat.group), bytes);
            list.add("ledger.<buffer>.bytes", fmt::format("ledger.{}.bytes", stat.name), bytes);
            break;
        case MemorySource::device_free:
            list.add(
                "device_free.<name>.bytes", fmt::format("device_free.{}.bytes", stat.name), bytes
            );
            break;
        }
    }
}

} // namespace

std::vector<Series> metrics_of(const Run& run) {
    SeriesList list;
    if (run.status.state == RunState::complete) {
        add_times(run, list);
        add_counts(run, list);
        add_memory(run, list);
    }
    return std::move(list).in_catalogue_order();
}

} // namespace kvprof::analyzers
