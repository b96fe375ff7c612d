#include "capture/experiment/systems.h"

#include "capture/model/error.h"
#include "capture/workload/backend.h"
#include "capture/workload/backend_rules.h"
#include "capture/workload/plan_checks.h"
#include "capture/workload/preset.h"
#include "capture/workload/step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace kvprof::experiment {

namespace {

void choose_page_size(const workload::Backend& backend, Cell& cell) {
    if (workload::takes_page_size(backend, cell.step.page_size)) {
        return;
    }
    const auto* const smallest =
        std::ranges::find_if(workload::kPageSizes, [&](std::int64_t page_size) {
            return workload::takes_page_size(backend, page_size);
        });
    if (smallest != workload::kPageSizes.end()) {
        cell.notes.push_back(fmt::format(
            "page size {} instead of {}: {} takes {}",
            *smallest,
            cell.step.page_size,
            backend.name,
            cell.step.page_size < *smallest ? "no smaller one" : "none of that size"
        ));
        cell.step.page_size = *smallest;
    }
}

Cell cell_of(const Cell& base, PoolKind pool, std::optional<HistoryStage> stage) {
    Cell cell = base;
    cell.step.pool = pool;
    cell.variant = fmt::format(
        "preset={} attention-backend={} pool={}",
        cell.step.preset,
        cell.step.attention_backend,
        to_string(pool)
    );
    if (stage) {
        cell.step.stage = *stage;
        cell.variant += fmt::format(" stage={}", to_string(*stage));
    }
    return cell;
}

/// Bytes of every buffer of the cell's step; nothing when it can not be planned.
std::optional<Bytes> bytes_of(const Cell& cell) {
    try {
        Bytes sum;
        for (const MemoryStat& buffer :
             workload::ledger_of(workload::plan_step(cell.step, cell.measure))) {
            sum = sum + buffer.bytes;
        }
        return sum;
    } catch (const Error&) {
        return std::nullopt;
    }
}

Bytes most_of(std::span<const Cell> cells) {
    Bytes most;
    for (const Cell& cell : cells) {
        most = std::max(most, bytes_of(cell).value_or(Bytes{}));
    }
    return most;
}

void fit_system(Bytes memory, std::span<Cell> cells) {
    const std::int64_t wanted = cells.front().step.batch;
    const Bytes asked = most_of(cells);
    Bytes needed = asked;
    std::int64_t batch = wanted;
    while (needed > memory && batch > 1) {
        batch /= 2;
        for (Cell& cell : cells) {
            cell.step.batch = batch;
        }
        needed = most_of(cells);
    }
    for (Cell& cell : cells) {
        if (needed > memory) {
            cell.too_large = fmt::format(
                "the buffers of one lane take {}, and {} are to be used",
                format_bytes(needed),
                format_bytes(memory)
            );
        } else if (batch < wanted) {
            cell.notes.push_back(fmt::format(
                "smaller pool: batch {} instead of {}, whose buffers take {} and {} are to be used",
                batch,
                wanted,
                format_bytes(asked),
                format_bytes(memory)
            ));
        }
    }
}

} // namespace

SystemAxes all_systems() {
    SystemAxes axes;
    for (const workload::ModelSpec& preset : workload::built_in_presets()) {
        if (!preset.name.starts_with("tiny-")) {
            axes.presets.push_back(preset.name);
        }
    }
    for (const workload::Backend& backend : workload::built_in_backends()) {
        axes.backends.push_back(backend.name);
    }
    for (const auto& [pool, name] : EnumNames<PoolKind>::values) {
        axes.pools.push_back(pool);
    }
    for (const auto& [stage, name] : EnumNames<HistoryStage>::values) {
        axes.stages.push_back(stage);
    }
    return axes;
}

std::vector<Cell>
cells_of_systems(const StepSpec& base, const MeasureSpec& measure, const SystemAxes& axes) {
    std::vector<Cell> cells;
    for (const std::string& preset : axes.presets) {
        static_cast<void>(workload::load_preset(preset)); // an unknown name is no row
        for (const std::string& name : axes.backends) {
            Cell system{.variant = {}, .step = base, .measure = measure, .program = {}};
            system.step.preset = preset;
            system.step.attention_backend = name;
            choose_page_size(workload::load_backend(name), system);
            for (const PoolKind pool : axes.pools) {
                if (pool == PoolKind::statik) {
                    cells.push_back(cell_of(system, pool, std::nullopt));
                    continue;
                }
                for (const HistoryStage stage : axes.stages) {
                    cells.push_back(cell_of(system, pool, stage));
                }
            }
        }
    }
    return cells;
}

void fit_into(Bytes memory, std::vector<Cell>& cells) {
    const auto is_same_system = [](const Cell& a, const Cell& b) {
        return a.step.preset == b.step.preset
               && a.step.attention_backend == b.step.attention_backend;
    };
    for (auto first = cells.begin(); first != cells.end();) {
        const auto last = std::find_if_not(first, cells.end(), [&](const Cell& cell) {
            return is_same_system(*first, cell);
        });
        fit_system(memory, {first, last});
        first = last;
    }
}

void refuse_beyond(Bytes memory, std::vector<Cell>& cells) {
    for (Cell& cell : cells) {
        if (const auto needed = bytes_of(cell); needed && *needed > memory) {
            cell.too_large = fmt::format(
                "its buffers take {}, and {} are to be used",
                format_bytes(*needed),
                format_bytes(memory)
            );
        }
    }
}

} // namespace kvprof::experiment
