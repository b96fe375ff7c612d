#include "capture/host/host_executor.h"

#include "capture/host/host_step.h"
#include "capture/host_facts.h"
#include "capture/machine_facts.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace kvprof::host {

using workload::BufferSpec;

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
    add_machine_facts(environment, {});
    return environment;
}

ReadDevice HostExecutor::watcher() const {
    return [](std::string_view /*when*/) { return std::optional<DeviceReading>(); };
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

MemoryLife HostExecutor::memory_life(
    const workload::StepPlan& /*plan*/,
    const workload::InitialState& /*state*/,
    const MeasureSpec& /*how*/
) {
    throw UnavailableError("could not measure graph memory: the host executor has no graph");
}

std::unique_ptr<PreparedStep> HostExecutor::prepare(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& /*how*/
) {
    return prepare_host_step(plan, state, KvPool::held, recorder_);
}

} // namespace kvprof::host
