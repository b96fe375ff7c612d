#include "capture/host/host_step.h"

#include "capture/command_tag.h"
#include "capture/workload/step_program.h"
#include "kernels/call_name.h"
#include "kernels/host/run.h"

#include <chrono>
#include <cstring>
#include <variant>

namespace kvprof::host {

using workload::BufferSpec;
using workload::Command;
using workload::Commands;

namespace {

bool is_model_buffer(const BufferSpec& buffer) {
    return buffer.id == workload::BufferId::kv || buffer.id == workload::BufferId::states
           || buffer.id == workload::BufferId::partials || buffer.id == workload::BufferId::output;
}

void run_recorded(const Command& command, HostRecorder& recorder) {
    const auto start = HostRecorder::Clock::now();
    run_command(command);
    const auto end = HostRecorder::Clock::now();
    const auto* const call = std::get_if<kernels::KernelCall>(&command.action);
    recorder.command(
        activity::current_scope(),
        call == nullptr ? ActivityKind::memory_copy : ActivityKind::kernel,
        call == nullptr ? std::string_view("memory copy") : kernels::name_of(*call),
        start,
        end
    );
}

class HostStep final : public PreparedStep {
  public:
    HostStep(
        const workload::StepPlan& plan,
        const workload::InitialState& state,
        KvPool kv,
        HostRecorder* recorder
    )
        : kv_(kv),
          recorder_(recorder),
          memory_(load_host_memory(plan, state, kv)),
          program_(plan, memory_.table(), state) {
        run(program_.setup(), Role::none);
    }

    Sample replay(std::int64_t times) override {
        using Clock = std::chrono::steady_clock;
        Sample sample{.replays = times};
        const auto begin = Clock::now();
        for (std::int64_t i = 0; i < times; ++i) {
            const activity::StepScope step(steps_run_++);
            const auto start = Clock::now();
            run(program_.next_step(), Role::op);
            run(program_.captured(), Role::op);
            sample.gpu_time += Clock::now() - start;
            run(program_.restore(), Role::between_steps);
        }
        sample.wall_time = Clock::now() - begin;
        return sample;
    }

    [[nodiscard]] std::int64_t copies() const override { return 1; }

    [[nodiscard]] std::vector<std::byte> read(
        workload::BufferId buffer, const workload::Region& region, std::int64_t /*copy*/
    ) const override {
        return memory_.read(buffer, region);
    }

    [[nodiscard]] std::int64_t graph_nodes() const override {
        return static_cast<std::int64_t>(program_.captured().size());
    }

    [[nodiscard]] std::vector<MemoryStat> memory() const override { return {}; }

    [[nodiscard]] std::int64_t steps_run() const override { return steps_run_; }

    [[nodiscard]] bool is_apart() const override { return !program_.restore().empty(); }

    [[nodiscard]] std::optional<HostTimes> host_times(std::int64_t /*steps*/) override {
        return std::nullopt; // the host is the device: a step's time is all there is
    }

  private:
    void run(const Commands& commands, Role role) const {
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const Command& command = commands[i];
            if (kv_ == KvPool::left_out) {
                run_without_kv(command);
                continue;
            }
            if (recorder_ == nullptr) {
                run_command(command);
                continue;
            }
            const activity::TagScope tag(tag_of(command, role, i));
            run_recorded(command, *recorder_);
        }
    }

    KvPool kv_;
    HostRecorder* recorder_;
    HostMemory memory_;
    workload::StepProgram program_;
    std::int64_t steps_run_ = 0;
};

} // namespace

void run_command(const Command& command) {
    if (const auto* const copy = std::get_if<workload::CopyMemory>(&command.action)) {
        std::memmove(copy->to, copy->from, static_cast<std::size_t>(copy->bytes));
    } else {
        kernels::host::run(std::get<kernels::KernelCall>(command.action));
    }
}

bool needs_kv(OpKind op) {
    return op == OpKind::prefill || op == OpKind::kv_write || op == OpKind::attention
           || op == OpKind::zero_pages || op == OpKind::state_read;
}

void run_without_kv(const Command& command) {
    if (needs_kv(command.op)) {
        return;
    }
    const auto* const call = std::get_if<kernels::KernelCall>(&command.action);
    if (call != nullptr && std::holds_alternative<kernels::EnvelopeCopyCall>(*call)) {
        return;
    }
    if (call != nullptr && std::holds_alternative<kernels::CompactMoveCall>(*call)) {
        auto tables_alone = std::get<kernels::CompactMoveCall>(*call);
        std::uint8_t no_bytes = 0;
        tables_alone.buffer = &no_bytes;
        tables_alone.page_bytes = 0;
        kernels::host::run(kernels::KernelCall(tables_alone));
        return;
    }
    run_command(command);
}

HostMemory
load_host_memory(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv) {
    std::vector<BufferSpec> buffers;
    for (const BufferSpec& buffer : plan.buffers) {
        if (kv == KvPool::held || !is_model_buffer(buffer)) {
            buffers.push_back(buffer);
        }
    }
    HostMemory memory(buffers);
    memory.load(plan, state);
    return memory;
}

std::unique_ptr<PreparedStep> prepare_host_step(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    KvPool kv,
    HostRecorder* recorder
) {
    return std::make_unique<HostStep>(plan, state, kv, recorder);
}

} // namespace kvprof::host
