#pragma once

#include "capture/executor.h"
#include "capture/host/host_memory.h"
#include "capture/host/host_recorder.h"
#include "capture/workload/command.h"

#include <memory>

namespace kvprof::host {

/// Whether a host step holds the KV pool. Without it the model's ops are skipped: enough to be the
/// twin of a device step's ids, at a fraction of the memory.
enum class KvPool : std::uint8_t { held, left_out };

/// Whether an op touches the KV pool or what attention writes.
[[nodiscard]] bool needs_kv(OpKind op);

/// Runs a kernel's twin, or copies. Its op must not need the KV pool where that was left out.
void run_command(const workload::Command& command);

/// Runs what a command does to ids and tables where the KV pool was left out: no op of the model,
/// and of a compaction no envelope.
void run_without_kv(const workload::Command& command);

/// The plan's buffers with their initial contents. @throws UnavailableError.
[[nodiscard]] HostMemory
load_host_memory(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv);

/// A step in host memory. With a recorder, which must outlive it, every command is recorded.
/// @throws UnavailableError when the machine has too little memory.
[[nodiscard]] std::unique_ptr<PreparedStep> prepare_host_step(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    KvPool kv,
    HostRecorder* recorder = nullptr
);

} // namespace kvprof::host
