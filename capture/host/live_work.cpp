#include "capture/host/live_work.h"

#include "capture/host/host_step.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/step_program.h"
#include "kernels/least_bytes.h"
#include "kernels/live_blocks.h"

#include <algorithm>
#include <variant>

namespace kvprof::host {

namespace {

using workload::Command;
using workload::Commands;

/// Whether K and V are rows of their own is told by where a layer's views begin, so the pool has a
/// place, though no memory.
workload::BufferTable places_of(const workload::StepPlan& plan, const HostMemory& memory) {
    workload::BufferTable table = memory.table();
    constexpr auto kPool = workload::BufferId::kv;
    table.set(kPool, workload::imagined_places(plan).at<void>(kPool));
    return table;
}

} // namespace

LiveWork::Launch LiveWork::look(const Command& command) {
    Launch launch{
        .op = command.op,
        .stage = command.stage,
        .placement = command.placement,
        .blocks = std::nullopt,
        .bytes = std::nullopt};
    if (const auto* const copy = std::get_if<workload::CopyMemory>(&command.action)) {
        launch.bytes = 2 * copy->bytes;
        return launch;
    }
    const auto& call = std::get<kernels::KernelCall>(command.action);
    launch.blocks = needs_kv(command.op) ? std::nullopt : kernels::live_blocks(call);
    launch.bytes = kernels::least_bytes(call);
    return launch;
}

/// Each command is looked at just before it runs: its inputs are ready then.
LiveWork::Launches LiveWork::run_and_look(const Commands& commands) {
    Launches launches;
    for (const Command& command : commands) {
        launches.push_back(look(command));
        const auto* const call = std::get_if<kernels::KernelCall>(&command.action);
        const bool is_delay = call != nullptr && std::holds_alternative<kernels::DelayCall>(*call);
        if (!is_delay) {
            run_without_kv(command);
        }
    }
    return launches;
}

LiveWork::LiveWork(const workload::StepPlan& plan, const workload::InitialState& state) {
    const HostMemory memory = load_host_memory(plan, state, KvPool::left_out);
    workload::StepProgram program(plan, places_of(plan, memory), state);
    for (const Command& command : program.setup()) {
        run_without_kv(command);
    }
    // A step that repeats itself shows all there is at once.
    const int cycles = plan.phases > 1 ? 2 : 1;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        cycle_.clear();
        for (std::int64_t step = 0; step < workload::steps_in_cycle(plan); ++step) {
            Step& one = cycle_.emplace_back();
            one.before = run_and_look(program.next_step());
            one.captured = run_and_look(program.captured());
            static_cast<void>(run_and_look(program.restore()));
        }
    }
}

std::optional<std::int64_t> LiveWork::blocks(std::int64_t step, const activity::Tag& tag) const {
    if (step < 0 || tag.ordinal < 0) {
        return std::nullopt;
    }
    const Step& one = cycle_[static_cast<std::size_t>(step) % cycle_.size()];
    const Launches& launches = tag.placement == Placement::in ? one.captured : one.before;
    const auto ordinal = static_cast<std::size_t>(tag.ordinal);
    return ordinal < launches.size() ? launches[ordinal].blocks : std::nullopt;
}

void LiveWork::add_least_bytes(std::vector<OpStat>& ops) const {
    for (OpStat& stat : ops) {
        std::optional<std::int64_t> sum = 0;
        const auto add = [&](const Launch& launch) {
            if (launch.op == stat.op && launch.stage == stat.stage
                && launch.placement == stat.placement) {
                sum = sum && launch.bytes ? std::optional(*sum + *launch.bytes) : std::nullopt;
            }
        };
        for (const Step& step : cycle_) {
            std::for_each(step.before.begin(), step.before.end(), add);
            std::for_each(step.captured.begin(), step.captured.end(), add);
        }
        stat.least_bytes = sum ? std::optional(Bytes{*sum}) : std::nullopt;
    }
}

} // namespace kvprof::host
