#include "capture/host/host_executor.h"

#include "capture/host/host_memory.h"
#include "capture/host_facts.h"
#include "capture/model/error.h"
#include "capture/workload/checked_region.h"
#include "capture/workload/step_program.h"
#include "kernels/host/run.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <utility>
#include <variant>

namespace kvprof::host {

namespace {

using workload::BufferSpec;
using workload::Command;
using workload::Commands;

bool needs_kv(OpKind op) {
    return op == OpKind::prefill || op == OpKind::kv_write || op == OpKind::attention
           || op == OpKind::zero_pages;
}

bool is_model_buffer(const BufferSpec& buffer) {
    return buffer.id == workload::BufferId::kv || buffer.id == workload::BufferId::partials
           || buffer.id == workload::BufferId::output;
}

struct RunAction {
    void operator()(const kernels::KernelCall& call) const { kernels::host::run(call); }

    void operator()(const workload::CopyMemory& copy) const {
        std::memmove(copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
    }
};

class HostStep final : public PreparedStep {
  public:
    HostStep(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv)
        : kv_(kv),
          memory_(allocate(plan, state, kv)),
          program_(plan, memory_.table(), state) {
        run(program_.setup());
    }

    Sample replay(std::int64_t times) override {
        using Clock = std::chrono::steady_clock;
        Sample sample{.replays = times};
        const auto begin = Clock::now();
        for (std::int64_t i = 0; i < times; ++i) {
            const auto start = Clock::now();
            run(program_.next_step());
            run(program_.captured());
            sample.gpu_time += Clock::now() - start;
            run(program_.restore());
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

  private:
    static HostMemory
    allocate(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv) {
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

    void run(const Commands& commands) const {
        for (const Command& command : commands) {
            if (kv_ == KvPool::held || !needs_kv(command.op)) {
                std::visit(RunAction{}, command.action);
            }
        }
    }

    KvPool kv_;
    HostMemory memory_;
    workload::StepProgram program_;
};

} // namespace

std::unique_ptr<PreparedStep>
prepare_host_step(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv) {
    return std::make_unique<HostStep>(plan, state, kv);
}

Environment HostExecutor::environment() const {
    const HostFacts facts = host_facts();
    Environment environment;
    environment.executor = "host";
    environment.device_name = facts.cpu_model;
    environment.device_uuid = facts.hostname;
    environment.device_free_bytes = facts.memory_available_bytes;
    environment.cpu_model = facts.cpu_model;
    environment.cpu_count = facts.cpu_count;
    environment.hostname = facts.hostname;
    environment.os = facts.os;
    return environment;
}

void HostExecutor::require_room(const workload::StepPlan& plan) const {
    // The pool and the tables are written all over; index buffers are as large as the context and
    // mostly idle, and pages that nobody touches cost nothing.
    const auto is_filled = [](const BufferSpec& buffer) {
        return buffer.group == workload::LedgerGroup::pool
               || (buffer.group == workload::LedgerGroup::tables
                   && buffer.id != workload::BufferId::req_to_token);
    };
    std::int64_t asked = 0;
    for (const BufferSpec& buffer : plan.buffers) {
        asked += is_filled(buffer) ? buffer.bytes() : 0;
    }
    const std::int64_t available = host_facts().memory_available_bytes;
    if (asked > available) {
        throw UnavailableError(
            fmt::format(
                "could not hold the pool and its tables: {} asked, {} of memory available",
                format_bytes(Bytes{asked}),
                format_bytes(Bytes{available})
            ),
            "lower --batch, --seq-len or --pool-tokens, or take a smaller --preset"
        );
    }
}

std::unique_ptr<PreparedStep> HostExecutor::prepare(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& /*how*/
) {
    return prepare_host_step(plan, state, KvPool::held);
}

} // namespace kvprof::host
