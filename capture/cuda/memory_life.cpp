#include "capture/cuda/memory_life.h"

#include "capture/cuda/cuda_check.h"
#include "capture/cuda/cuda_step.h"
#include "capture/cuda/device_memory.h"
#include "capture/cuda/free_memory_sampler.h"
#include "capture/cuda/graph.h"
#include "capture/cuda/memory_probes.h"
#include "capture/cuda/memory_readings.h"
#include "capture/workload/step_program.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace kvprof::cuda {

namespace {

constexpr std::int64_t kReplays = 100; ///< at the mark `replayed`, the first one included

int current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "read the current device");
    return device;
}

/// Buffers with their contents, and what is launched over them.
struct LoadedStep {
    LoadedStep(
        const workload::StepPlan& plan,
        const workload::InitialState& state,
        const HeldBlock& cache,
        const Stream& stream
    )
        : memory([&] {
              DeviceMemory loaded(plan.buffers, cache.memory ? &cache : nullptr);
              loaded.load(plan, state);
              return loaded;
          }()),
          program(plan, memory.table(), state) {
        issue(program.setup(), stream, Role::none);
        stream.synchronize();
    }

    DeviceMemory memory;
    workload::StepProgram program;
};

/// One step and what makes it repeatable.
void replay(LoadedStep& step, const GraphExecutable& executable, const Stream& stream) {
    issue(step.program.next_step(), stream, Role::none);
    executable.launch(stream);
    issue(step.program.restore(), stream, Role::none);
}

/// Runs every kernel of the step outside a graph, and frees the step again. Twice: under churn, the
/// second step has pages to free.
void warm(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    const HeldBlock& cache,
    const Stream& stream
) {
    LoadedStep step(plan, state, cache, stream);
    for (int i = 0; i < 2; ++i) {
        issue(step.program.next_step(), stream, Role::none);
        issue(step.program.captured(), stream, Role::none);
        issue(step.program.restore(), stream, Role::none);
    }
    stream.synchronize();
}

Bytes ledger_sum(const workload::StepPlan& plan) {
    Bytes sum;
    for (const workload::BufferSpec& buffer : plan.buffers) {
        sum += Bytes{buffer.bytes()};
    }
    return sum;
}

void add_note(MemoryLife& life, std::string text) {
    if (!text.empty()) {
        life.notes.push_back(std::move(text));
    }
}

/// What comes after the marks, which stand whatever becomes of it.
void probe(const CapturedGraph& graph, const Stream& stream, MemoryLife& life) {
    Slack slack = probe_slack();
    life.slack = slack.bytes;
    add_note(life, std::move(slack.cut_short));
    HeldExecutables held = hold_executables(graph, stream);
    life.executables = std::move(held.points);
    add_note(life, std::move(held.cut_short));
}

} // namespace

MemoryLife memory_life(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    const MeasureSpec& how,
    const std::string& device_uuid
) {
    using enum MemoryMark;
    const int device = current_device();
    const HeldBlock cache = hold_block(how.cached_block);
    const Stream stream;
    warm(plan, state, cache, stream);

    MarkReader reader(device, device_uuid);
    const auto read = [&](MemoryMark mark, Bytes ledger) {
        settle(device);
        reader.read(mark, ledger);
    };
    read(warmed, Bytes{});
    FreeMemorySampler sampler(device);
    LoadedStep step(plan, state, cache, stream);
    const Bytes ledger = ledger_sum(plan);
    read(buffers, ledger);
    const CapturedGraph graph(stream, [&] { issue(step.program.captured(), stream, Role::none); });
    read(captured, ledger);
    std::optional<GraphExecutable> executable(graph);
    read(instantiated, ledger);
    executable->upload(stream);
    read(uploaded, ledger);
    replay(step, *executable, stream);
    read(first_replay, ledger);
    const std::optional<Bytes> least_free = sampler.stop();
    if (least_free) {
        reader.add_peak(first_replay, *least_free);
    }
    for (std::int64_t i = 1; i < kReplays; ++i) {
        replay(step, *executable, stream);
    }
    read(replayed, ledger);
    executable.reset();
    reader.read(destroyed, ledger); // untrimmed: the next mark shows what a trim gives back
    read(trimmed, ledger);

    MemoryLife life{.marks = reader.readings(), .executables = {}, .slack = {}, .notes = {}};
    if (!least_free) {
        add_note(life, "no peak of device memory: free memory could not be sampled between marks");
    }
    if (cache.memory) {
        add_note(
            life,
            fmt::format(
                "{} of graph buffers were served from a cached block of {}",
                format_bytes(step.memory.from_cache()),
                format_bytes(cache.size)
            )
        );
    }
    probe(graph, stream, life);
    settle(device);
    return life;
}

} // namespace kvprof::cuda
