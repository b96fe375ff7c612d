#include "capture/cuda/cuda_step.h"

#include "capture/command_tag.h"
#include "capture/cuda/cuda_check.h"
#include "capture/cuda/nvtx_range.h"
#include "capture/model/error.h"
#include "capture/workload/checked_region.h"
#include "kernels/call_name.h"
#include "kernels/cuda/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <variant>

namespace kvprof::cuda {

namespace {

using workload::Command;
using workload::Commands;

struct IssueAction {
    cudaStream_t stream;

    void operator()(const kernels::KernelCall& call) const {
        const auto result = kernels::cuda::launch(call, stream);
        if (result != cudaSuccess) {
            check(result, fmt::format("launch {}", kernels::name_of(call)));
        }
    }

    void operator()(const workload::CopyMemory& copy) const {
        const auto bytes = static_cast<std::size_t>(copy.bytes);
        check(
            cudaMemcpyAsync(copy.to, copy.from, bytes, cudaMemcpyDeviceToDevice, stream),
            "copy lane inputs"
        );
    }
};

std::int64_t l2_bytes() {
    int device = 0;
    int bytes = 0;
    check(cudaGetDevice(&device), "read the current device");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "read the L2 size");
    return bytes;
}

} // namespace

void issue(const Commands& commands, const Stream& stream, Role role) {
    std::optional<NvtxRange> range;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const Command& command = commands[i];
        if (i == 0 || commands[i - 1].op != command.op) {
            range.reset(); // ranges nest by time: the last op's ends before the next one's begins
            range.emplace(to_string(command.op));
        }
        const activity::TagScope tag(tag_of(command, role, i));
        std::visit(IssueAction{stream.get()}, command.action);
    }
}

CudaStep::Copy::Copy(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    const HeldBlock* cache,
    const Stream& stream
)
    : memory([&] {
          DeviceMemory loaded(plan.buffers, cache);
          loaded.load(plan, state);
          return loaded;
      }()),
      program(plan, memory.table(), state),
      graph(stream, [&] { issue(program.captured(), stream, Role::op); }) {
    issue(program.setup(), stream, Role::none);
    stream.synchronize();
}

CudaStep::CudaStep(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
)
    : l2_(how.l2),
      cache_(hold_block(how.cached_block)),
      free_before_(device_room().free.count) {
    const std::int64_t copies = l2_ == L2Mode::loop ? copies_to_loop(plan) : 1;
    for (std::int64_t i = 0; i < copies; ++i) {
        // A block serves one set of buffers; the others come from the device.
        const bool has_cache = cache_.memory != nullptr && i == 0;
        copies_.push_back(
            std::make_unique<Copy>(plan, state, has_cache ? &cache_ : nullptr, stream_)
        );
    }
    if (l2_ == L2Mode::flush) {
        flush_bytes_ = 2 * l2_bytes();
        flush_block_ = allocate("the L2 flush block", Bytes{flush_bytes_});
    }
    free_after_ = device_room().free.count;
}

std::int64_t CudaStep::copies_to_loop(const workload::StepPlan& plan) const {
    constexpr std::int64_t kMost = 256;
    std::int64_t touched = 1;
    std::int64_t allocated = 1;
    for (const workload::BufferSpec& buffer : plan.buffers) {
        const auto region = workload::checked_region(plan, buffer);
        touched += region ? region->rows * region->row_bytes : 0;
        allocated += buffer.bytes();
    }
    // A set that exceeds the cache by itself still takes turns with a second one.
    const std::int64_t wanted = std::max<std::int64_t>(2 * l2_bytes() / touched + 1, 2);
    const std::int64_t that_fit = free_before_ / 10 * 9 / allocated;
    if (wanted > std::min(that_fit, kMost)) {
        throw UnavailableError(
            fmt::format(
                "could not loop over the L2 cache: {} sets of buffers exceed it twice, {} of {} "
                "each fit in free memory (at most {})",
                wanted,
                that_fit,
                format_bytes(Bytes{allocated}),
                kMost
            ),
            "use --l2 flush, or lower --max-batch and --max-context"
        );
    }
    return wanted;
}

void CudaStep::keep_busy() const {
    const activity::TagScope tag({.role = Role::between_steps});
    // What the host needs to issue the first step's launches, under a tracer too.
    constexpr kernels::DelayCall kLead{.nanoseconds = 100'000};
    check(kernels::cuda::launch(kLead, stream_.get()), "launch the lead of a batch");
}

void CudaStep::flush_l2() {
    const activity::TagScope tag({.role = Role::between_steps});
    // Reads nothing that a step uses and leaves none of it in the cache.
    check(
        cudaMemsetAsync(
            flush_block_.get(), 0, static_cast<std::size_t>(flush_bytes_), stream_.get()
        ),
        "flush the L2 cache"
    );
}

CudaStep::Copy& CudaStep::next_copy() {
    Copy& copy = *copies_[next_copy_];
    next_copy_ = (next_copy_ + 1) % copies_.size();
    return copy;
}

void CudaStep::launch(const Copy& copy) {
    const activity::TagScope tag({.role = Role::replay});
    copy.graph.launch(stream_);
}

void CudaStep::replay_once(Copy& copy) {
    const NvtxRange range("decode step");
    issue(copy.program.next_step(), stream_, Role::op);
    launch(copy);
}

bool CudaStep::is_apart() const {
    return l2_ == L2Mode::flush || !copies_.front()->program.restore().empty();
}

std::optional<HostTimes> CudaStep::host_times(std::int64_t steps) {
    using Clock = std::chrono::steady_clock;
    // Steps that wait for room in the launch queue would time the device.
    constexpr std::int64_t kStepsQueued = 16;
    HostTimes times{.steps = steps};
    for (std::int64_t i = 0; i < steps; ++i) {
        if (i % kStepsQueued == 0) {
            stream_.synchronize();
        }
        Copy& copy = next_copy();
        const activity::StepScope step(steps_run_++);
        const auto begin = Clock::now();
        issue(copy.program.next_step(), stream_, Role::op);
        const auto issued = Clock::now();
        launch(copy);
        const auto launched = Clock::now();
        issue(copy.program.restore(), stream_, Role::between_steps);
        times.before += issued - begin;
        times.launch += launched - issued;
        times.after += Clock::now() - launched;
    }
    stream_.synchronize();
    return times;
}

Sample CudaStep::replay(std::int64_t times) {
    using Clock = std::chrono::steady_clock;
    const bool has_own_clock = is_apart();
    if (!has_own_clock) {
        keep_busy();
    }
    const auto begin = Clock::now();
    if (!has_own_clock) {
        clock_.start(stream_);
    }
    for (std::int64_t i = 0; i < times; ++i) {
        Copy& copy = next_copy();
        const activity::StepScope step(steps_run_++);
        if (l2_ == L2Mode::flush) {
            flush_l2();
        }
        if (has_own_clock) {
            clock_.start(stream_);
        }
        replay_once(copy);
        if (has_own_clock) {
            clock_.stop(stream_);
            issue(copy.program.restore(), stream_, Role::between_steps);
        }
    }
    if (!has_own_clock) {
        clock_.stop(stream_);
    }
    stream_.synchronize();
    Sample sample{.replays = times, .wall_time = Clock::now() - begin};
    sample.gpu_time = clock_.take();
    return sample;
}

std::int64_t CudaStep::copies() const {
    return static_cast<std::int64_t>(copies_.size());
}

std::vector<std::byte>
CudaStep::read(workload::BufferId buffer, const workload::Region& region, std::int64_t copy) const {
    return copies_[static_cast<std::size_t>(copy)]->memory.read(buffer, region);
}

std::int64_t CudaStep::graph_nodes() const {
    return copies_.front()->graph.kernel_nodes();
}

std::vector<MemoryStat> CudaStep::memory() const {
    return {
        {.name = "step",
         .source = MemorySource::device_free,
         .group = "device",
         .bytes = Bytes{free_before_ - free_after_}},
    };
}

} // namespace kvprof::cuda
