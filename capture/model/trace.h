#pragma once

#include "capture/model/op_kind.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kvprof {

/// Families of CUDA API calls, by what a call makes the device or the host do.
enum class ApiKind : std::uint8_t {
    kernel_launch,
    graph_launch,
    graph_upload,
    graph_instantiate, ///< and clone, update, add a child graph: what copies nodes
    memory_copy,
    memory_set,
    synchronize,
    host_function,
    event,
    allocate,
    capture,
    other
};

template<>
struct EnumNames<ApiKind> {
    static constexpr std::array values{
        std::pair{ApiKind::kernel_launch, "kernel-launch"},
        std::pair{ApiKind::graph_launch, "graph-launch"},
        std::pair{ApiKind::graph_upload, "graph-upload"},
        std::pair{ApiKind::graph_instantiate, "graph-instantiate"},
        std::pair{ApiKind::memory_copy, "memory-copy"},
        std::pair{ApiKind::memory_set, "memory-set"},
        std::pair{ApiKind::synchronize, "synchronize"},
        std::pair{ApiKind::host_function, "host-function"},
        std::pair{ApiKind::event, "event"},
        std::pair{ApiKind::allocate, "allocate"},
        std::pair{ApiKind::capture, "capture"},
        std::pair{ApiKind::other, "other"}};
};

/// Who made a call or a record: an op of the step, the replay of its graph, what a step needs to be
/// repeated (restore, L2 flush), or none of them (set-up, warm-up, the clock around a batch).
enum class Role : std::uint8_t { none, op, replay, between_steps };

template<>
struct EnumNames<Role> {
    static constexpr std::array values{
        std::pair{Role::none, "none"},
        std::pair{Role::op, "op"},
        std::pair{Role::replay, "replay"},
        std::pair{Role::between_steps, "between-steps"}};
};

/// Calls of one API function, outermost calls only (a runtime call that calls the driver counts
/// once), over the steps of the counts pass; a captured call happened once, while the graph was
/// captured, and made nodes instead of work.
struct ApiStat {
    std::string call; ///< "cudaLaunchKernel", version suffix removed
    ApiKind kind{};
    Role role{};
    std::optional<OpKind> op; ///< of Role::op
    bool is_captured = false;
    std::int64_t calls = 0;  ///< that succeeded
    std::int64_t failed = 0; ///< that returned an error

    friend bool operator==(const ApiStat&, const ApiStat&) = default;
};

enum class ActivityKind : std::uint8_t { kernel, memory_copy, memory_set };

template<>
struct EnumNames<ActivityKind> {
    static constexpr std::array values{
        std::pair{ActivityKind::kernel, "kernel"},
        std::pair{ActivityKind::memory_copy, "memory-copy"},
        std::pair{ActivityKind::memory_set, "memory-set"}};
};

enum class CopyKind : std::uint8_t {
    none,
    host_to_device,
    device_to_host,
    device_to_device,
    other
};

template<>
struct EnumNames<CopyKind> {
    static constexpr std::array values{
        std::pair{CopyKind::none, "none"},
        std::pair{CopyKind::host_to_device, "host-to-device"},
        std::pair{CopyKind::device_to_host, "device-to-host"},
        std::pair{CopyKind::device_to_device, "device-to-device"},
        std::pair{CopyKind::other, "other"}};
};

using Dim3 = std::array<std::int64_t, 3>;

/// One kernel (or copy, or fill) of one op with one launch geometry, over the steps of the nodes
/// pass. Times are traced times: tracing makes short kernels longer.
struct KernelStat {
    std::optional<OpKind> op; ///< absent: an imported profile knows no op
    Placement placement{};
    ActivityKind kind{};
    CopyKind copy{};  ///< of a memory copy
    std::string name; ///< demangled where it can be
    Dim3 grid{};
    Dim3 block{};
    std::int64_t registers = 0;            ///< a thread
    std::int64_t static_shared_bytes = 0;  ///< a block
    std::int64_t dynamic_shared_bytes = 0; ///< a block
    std::int64_t local_bytes = 0;          ///< a thread
    std::int64_t launches = 0;
    std::chrono::nanoseconds time{0}; ///< summed
    std::chrono::nanoseconds shortest{0};
    std::chrono::nanoseconds longest{0};
    std::int64_t blocks = 0; ///< launched, summed
    /// Blocks that had an item to work on, from the launch geometry and the step's lengths; absent
    /// for kernels without such a rule.
    std::optional<std::int64_t> blocks_with_work;

    friend bool operator==(const KernelStat&, const KernelStat&) = default;
};

/// "attention"; "-" of a kernel of no known op.
[[nodiscard]] constexpr std::string_view op_words(std::optional<OpKind> op) {
    return op ? to_string(*op) : "-";
}

/// Device time of one op in one step of the nodes pass.
struct OpSample {
    std::int64_t step = 0;
    OpKind op{};
    Placement placement{};
    std::int64_t records = 0;
    std::chrono::nanoseconds time{0};

    friend bool operator==(const OpSample&, const OpSample&) = default;
};

/// Where the time of one traced step went. span = busy_union + gaps, busy_sum = busy_union +
/// overlap; the period to the next step's first record is span + tail.
struct StepRecord {
    std::int64_t step = 0;
    std::int64_t batch = 0; ///< TracedBatch::ordinal
    std::int64_t records = 0;
    std::chrono::nanoseconds span{0};       ///< first record's start to last record's end
    std::chrono::nanoseconds busy_sum{0};   ///< durations added up
    std::chrono::nanoseconds busy_union{0}; ///< time in which at least one record ran
    /// Last end to the next step's first start; absent for the last step of a batch.
    std::optional<std::chrono::nanoseconds> tail;

    friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

/// One record of the nodes pass, kept for a timeline (--keep-events).
struct KernelEvent {
    std::int64_t step = 0;
    std::int64_t kernel = 0; ///< index into Run::kernels
    std::int64_t stream = 0;
    std::uint64_t node = 0;            ///< graph node id; 0 outside graphs
    std::chrono::nanoseconds start{0}; ///< since the first kept record's start, of its file
    std::chrono::nanoseconds duration{0};
    std::int64_t rank = 0;   ///< index into Profile::ranks; 0 of kvprof's own runs
    std::int64_t device = 0; ///< of the rank's that worked; 0 of kvprof's own runs

    friend bool operator==(const KernelEvent&, const KernelEvent&) = default;
};

/// Host time that steps take on the thread that issues them, untraced, over `steps` steps with room
/// in the launch queue.
struct HostTimes {
    std::int64_t steps = 0;
    std::chrono::nanoseconds before{0}; ///< issuing what runs before the replay
    std::chrono::nanoseconds launch{0}; ///< inside the graph launch call
    std::chrono::nanoseconds after{0};  ///< until the next step may start

    friend bool operator==(const HostTimes&, const HostTimes&) = default;
};

} // namespace kvprof
