#include "capture/host/live_work.h"

#include "capture/host/host_step.h"
#include "capture/workload/lanes.h"
#include "capture/workload/step_program.h"
#include "kernels/live_blocks.h"

#include <variant>

namespace kvprof::host {

namespace {

using workload::Command;
using workload::Commands;

/// Blocks with work of each command, read just before it runs: its inputs are ready then.
std::vector<std::optional<std::int64_t>> run_and_read(const Commands& commands) {
    std::vector<std::optional<std::int64_t>> blocks;
    for (const Command& command : commands) {
        const auto* const call = std::get_if<kernels::KernelCall>(&command.action);
        const bool has_inputs = call != nullptr && !needs_kv(command.op);
        blocks.push_back(has_inputs ? kernels::live_blocks(*call) : std::nullopt);
        const bool is_delay = call != nullptr && std::holds_alternative<kernels::DelayCall>(*call);
        if (!is_delay) {
            run_without_kv(command);
        }
    }
    return blocks;
}

} // namespace

LiveWork::LiveWork(const workload::StepPlan& plan, const workload::InitialState& state) {
    const HostMemory memory = load_host_memory(plan, state, KvPool::left_out);
    workload::StepProgram program(plan, memory.table(), state);
    for (const Command& command : program.setup()) {
        run_without_kv(command);
    }
    // A step that repeats itself shows all there is at once.
    const int cycles = plan.phases > 1 ? 2 : 1;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        cycle_.clear();
        for (std::int64_t step = 0; step < workload::steps_in_cycle(plan); ++step) {
            Step& one = cycle_.emplace_back();
            one.before = run_and_read(program.next_step());
            one.captured = run_and_read(program.captured());
            static_cast<void>(run_and_read(program.restore()));
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
    return ordinal < launches.size() ? launches[ordinal] : std::nullopt;
}

} // namespace kvprof::host
