#include "capture/cuda/memory_life.h"

#include "capture/cuda/cuda_check.h"
#include "capture/cuda/cuda_executor.h"
#include "capture/cuda/device_memory.h"
#include "capture/cuda/graph.h"
#include "capture/cuda/memory_probes.h"
#include "capture/cuda/memory_readings.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace {

using namespace kvprof;
using test::small_step;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

MemoryLife life_of(const StepSpec& spec, const MeasureSpec& how = {}) {
    const auto plan = workload::plan_step(spec, how);
    const auto state = workload::make_state(plan);
    const cuda::CudaExecutor executor(0);
    return cuda::memory_life(plan, state, how, executor.environment().device_uuid);
}

std::optional<Bytes> read(const MemoryLife& life, MemoryMark mark, MemorySource source) {
    for (const MarkReading& reading : life.marks) {
        if (reading.mark == mark && reading.source == source) {
            return reading.bytes;
        }
    }
    return std::nullopt;
}

std::int64_t plan_bytes(const std::vector<workload::BufferSpec>& buffers) {
    std::int64_t sum = 0;
    for (const workload::BufferSpec& buffer : buffers) {
        sum += buffer.bytes();
    }
    return sum;
}

std::vector<workload::BufferSpec> graph_buffers(const StepSpec& spec) {
    std::vector<workload::BufferSpec> buffers;
    for (const workload::BufferSpec& buffer : workload::plan_step(spec, {}).buffers) {
        if (buffer.group == workload::LedgerGroup::graph) {
            buffers.push_back(buffer);
        }
    }
    return buffers;
}

/// Graph buffers of 2 x 64 MiB beside a small pool.
StepSpec wide_step() {
    StepSpec spec = small_step();
    spec.index_mode = IndexMode::rectangle;
    spec.max_batch = 16;
    spec.max_context = 1 << 20;
    return spec;
}

TEST(MemoryLife, ReadsEveryMarkAndThePlansBytesFromBuffersOn) {
    const StepSpec spec = small_step();
    const MemoryLife life = life_of(spec);
    const std::int64_t planned = plan_bytes(workload::plan_step(spec, {}).buffers);
    for (const auto& [mark, name] : EnumNames<MemoryMark>::values) {
        const std::int64_t ledger = mark == MemoryMark::warmed ? 0 : planned;
        EXPECT_EQ(read(life, mark, MemorySource::ledger), Bytes{ledger}) << name;
        EXPECT_TRUE(read(life, mark, MemorySource::device_free)) << name;
        EXPECT_EQ(read(life, mark, MemorySource::graph_reserved), Bytes{0}) << name;
        EXPECT_GT(read(life, mark, MemorySource::host_resident), Bytes{0}) << name;
    }
    EXPECT_EQ(read(life, MemoryMark::warmed, MemorySource::device_free), Bytes{0});
    EXPECT_GE(
        read(life, MemoryMark::first_replay, MemorySource::device_free_peak),
        read(life, MemoryMark::buffers, MemorySource::device_free)
    );
}

TEST(MemoryLife, RunsUnderChurnAndForAnOpAloneThatConsumesItsPages) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    EXPECT_FALSE(life_of(spec).marks.empty());
    spec.churn = 0.0;
    spec.pool_tokens = 1024;
    MeasureSpec how;
    how.op = "free-unbind";
    how.op_launches = 4;
    EXPECT_FALSE(life_of(spec, how).marks.empty());
}

TEST(MemoryLife, FreeMemoryLosesTheBuffersWithinTheDriversBlocks) {
    const StepSpec spec = wide_step();
    const auto buffers = workload::plan_step(spec, {}).buffers;
    const auto taken = read(life_of(spec), MemoryMark::buffers, MemorySource::device_free);
    const auto slop = static_cast<std::int64_t>(buffers.size()) * 2 * kMiB;
    EXPECT_NEAR(
        static_cast<double>(taken.value().count),
        static_cast<double>(plan_bytes(buffers)),
        static_cast<double>(slop)
    );
}

TEST(MemoryLife, ShowsGraphBuffersOfACachedBlockInTheLedgerAlone) {
    const StepSpec spec = wide_step();
    static_cast<void>(life_of(spec)); // what a tool around this process keeps is there from then on
    const MemoryLife plain = life_of(spec);
    MeasureSpec how;
    how.cached_block = 200;
    const MemoryLife cached = life_of(spec, how);
    const auto change_of = [](const MemoryLife& life, MemorySource source) {
        return read(life, MemoryMark::buffers, source).value();
    };
    EXPECT_EQ(change_of(plain, MemorySource::ledger), change_of(cached, MemorySource::ledger));
    const Bytes saved =
        change_of(plain, MemorySource::device_free) - change_of(cached, MemorySource::device_free);
    // Half of them: such a tool (initcheck) takes device memory of its own for what is allocated.
    EXPECT_GT(saved, Bytes{plan_bytes(graph_buffers(spec)) / 2});
    EXPECT_EQ(cached.notes.size(), 1U);
}

TEST(DeviceMemory, ServesGraphBuffersFromAHeldBlockWithoutMovingFreeMemory) {
    const cuda::CudaExecutor executor(0);
    const auto buffers = graph_buffers(wide_step());
    const Bytes size{200 * kMiB};
    const cuda::HeldBlock block{cuda::allocate("a block", size), size};
    const Bytes before = cuda::device_room().free;
    const cuda::DeviceMemory memory(buffers, &block);
    EXPECT_EQ(cuda::device_room().free, before);
    EXPECT_EQ(memory.from_cache(), Bytes{plan_bytes(buffers)});
}

TEST(DeviceMemory, AllocatesWhatAHeldBlockCanNotServe) {
    const cuda::CudaExecutor executor(0);
    const auto buffers = graph_buffers(wide_step());
    const Bytes size{kMiB};
    const cuda::HeldBlock block{cuda::allocate("a block", size), size};
    const Bytes before = cuda::device_room().free;
    const cuda::DeviceMemory memory(buffers, &block);
    EXPECT_LE(cuda::device_room().free, before - Bytes{128 * kMiB});
    EXPECT_LE(memory.from_cache(), size);
}

TEST(GraphMemory, OfAnAllocationNodeIsReservedByTheFirstReplay) {
    const cuda::CudaExecutor executor(0);
    const cuda::Stream stream;
    cuda::settle(0);
    const cuda::CapturedGraph graph(stream, [&] {
        constexpr std::size_t kSize = 64 * kMiB;
        void* block = nullptr;
        cuda::check(cudaMallocAsync(&block, kSize, stream.get()), "allocate in a graph");
        cuda::check(cudaMemsetAsync(block, 0, kSize, stream.get()), "fill in a graph");
        cuda::check(cudaFreeAsync(block, stream.get()), "free in a graph");
    });
    const cuda::GraphExecutable executable(graph);
    EXPECT_EQ(cuda::graph_memory(0).reserved, Bytes{0});
    executable.launch(stream);
    stream.synchronize();
    EXPECT_EQ(cuda::graph_memory(0).reserved, Bytes{67'108'864});
    cuda::settle(0);
    EXPECT_EQ(cuda::graph_memory(0).reserved, Bytes{0});
    EXPECT_EQ(cuda::graph_memory(0).reserved_high, Bytes{67'108'864});
}

TEST(HeldExecutables, Of64NodesTakeMemoryOnceSlackIsExhausted) {
    StepSpec spec = small_step();
    spec.pool_tokens = 1024;
    MeasureSpec how;
    how.op = "token-stream";
    how.op_launches = 64;
    const MemoryLife life = life_of(spec, how);
    ASSERT_EQ(life.executables.size(), 35U); // 1, 2, 4, 8, 16, 24, ..., 256
    EXPECT_EQ(life.executables.front().executables, 1);
    EXPECT_EQ(life.executables.back().executables, 256);
    EXPECT_EQ(life.executables.back().kernel_nodes, 64);
    EXPECT_GT(life.executables.back().taken, life.executables[17].taken);
    EXPECT_TRUE(life.notes.empty());
}

TEST(Slack, IsWholeProbeBlocksWithinTheBound) {
    const cuda::CudaExecutor executor(0);
    const Bytes before = cuda::device_room().free;
    const auto slack = cuda::probe_slack();
    EXPECT_EQ(slack.cut_short, "");
    ASSERT_TRUE(slack.bytes);
    EXPECT_GT(*slack.bytes, Bytes{0});
    EXPECT_LE(*slack.bytes, Bytes{64 * kMiB});
    EXPECT_EQ(slack.bytes->count % (64 * 1024), 0);
    EXPECT_GE(cuda::device_room().free, before - Bytes{2 * kMiB}) << "it gives its blocks back";
}

} // namespace
