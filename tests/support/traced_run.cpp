#include "tests/support/example_runs.h"

namespace kvprof::test {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::uint64_t kNode = (std::uint64_t{7} << 32U) + 2;

MeasureSpec measure() {
    return {
        .executor = ExecutorKind::cuda,
        .samples = 3,
        .replays = 20,
        .passes = "all",
        .trace_steps = 2,
        .keep_events = 2,
        .cached_block = 64};
}

Environment environment() {
    Environment environment = filled_run().environment;
    environment.cupti = "130000";
    environment.container = "docker";
    environment.mig = "off";
    environment.ecc = "on";
    environment.clock_state = "unlocked";
    environment.virtualization = "passthrough";
    environment.confidential_compute = "off";
    environment.power_limit_mw = 700'000;
    environment.sm_clock_max_mhz = 1980;
    environment.memory_clock_max_mhz = 3201;
    environment.git_revision = "abc1234+";
    environment.variables = "CUDA_MODULE_LOADING=EAGER";
    environment.foreign.clear();
    return environment;
}

std::vector<DeviceState> states() {
    return {
        {.when = "before",
         .sm_clock_mhz = 345,
         .memory_clock_mhz = 3201,
         .temperature_c = 31,
         .power_mw = 76'400,
         .event_reasons = 1,
         .used_bytes = kGiB,
         .utilization_percent = 0},
        {.when = "during",
         .sm_clock_mhz = 1980,
         .memory_clock_mhz = 3201,
         .temperature_c = 44,
         .power_mw = 312'000,
         .event_reasons = 4,
         .used_bytes = 3 * kGiB,
         .utilization_percent = 97},
        {.when = "after"}};
}

std::vector<PassResult> passes() {
    return {
        {.pass = Pass::counts,
         .failure = "",
         .steps = 2,
         .batches =
             {{.ordinal = 0,
               .steps = 2,
               .gpu_time = nanoseconds(222'600),
               .wall_time = nanoseconds(231'400),
               .recorded = std::nullopt}},
         .nodes_cross_checked = 1},
        {.pass = Pass::graph,
         .failure = "could not use the recording: 2 of 2 records have no start, no end, or an end "
                    "before the start. Fewer steps: --trace-steps",
         .steps = 2,
         .batches =
             {{.ordinal = 0,
               .steps = 2,
               .gpu_time = nanoseconds(224'900),
               .wall_time = nanoseconds(233'700),
               .recorded = std::nullopt}},
         .records = 2,
         .untimed = 2},
        {.pass = Pass::nodes,
         .failure = "",
         .steps = 2,
         .batches =
             {{.ordinal = 0,
               .steps = 2,
               .gpu_time = nanoseconds(223'900),
               .wall_time = nanoseconds(232'300),
               .recorded = nanoseconds(216'488)}},
         .records = 6,
         .by_node = 2,
         .by_launch = 4,
         .nodes_cross_checked = 1},
        {.pass = Pass::memory, .failure = "", .steps = 101, .batches = {}}};
}

std::vector<ApiStat> calls() {
    return {
        {.call = "cudaLaunchKernel",
         .kind = ApiKind::kernel_launch,
         .role = Role::op,
         .op = OpKind::indptr,
         .calls = 2},
        {.call = "cudaMemcpyAsync",
         .kind = ApiKind::memory_copy,
         .role = Role::op,
         .op = OpKind::indptr,
         .calls = 2},
        {.call = "cudaGraphLaunch",
         .kind = ApiKind::graph_launch,
         .role = Role::replay,
         .op = std::nullopt,
         .calls = 2},
        {.call = "cudaLaunchKernel",
         .kind = ApiKind::kernel_launch,
         .role = Role::op,
         .op = OpKind::page_table,
         .is_captured = true,
         .calls = 1},
        {.call = "cudaEventSynchronize",
         .kind = ApiKind::synchronize,
         .role = Role::none,
         .op = std::nullopt,
         .calls = 3,
         .failed = 1}};
}

/// 4,096 x 64 blocks cover 1,048,576 tokens of 64 lanes; 33 of a lane's 4,096 have one of its 8,224
/// tokens. Sums are over two steps.
KernelStat page_table() {
    return {
        .op = OpKind::page_table,
        .placement = Placement::in,
        .kind = ActivityKind::kernel,
        .name = "kvprof::page_table_kernel(kvprof::PageTableCall)",
        .grid = {4096, 64, 1},
        .block = {256, 1, 1},
        .registers = 24,
        .launches = 2,
        .time = nanoseconds(191'488),
        .shortest = nanoseconds(95'488),
        .longest = nanoseconds(96'000),
        .blocks = 2 * 262'144,
        .blocks_with_work = 2 * 2112};
}

std::vector<KernelStat> kernels() {
    return {
        page_table(),
        {.op = OpKind::indptr,
         .placement = Placement::out,
         .kind = ActivityKind::kernel,
         .name = "kvprof::scan_kernel(kvprof::ScanCall)",
         .grid = {1, 1, 1},
         .block = {128, 1, 1},
         .registers = 32,
         .static_shared_bytes = 1040,
         .dynamic_shared_bytes = 512,
         .local_bytes = 16,
         .launches = 2,
         .time = nanoseconds(4192),
         .shortest = nanoseconds(2080),
         .longest = nanoseconds(2112),
         .blocks = 2,
         .blocks_with_work = std::nullopt},
        {.op = OpKind::indptr,
         .placement = Placement::out,
         .kind = ActivityKind::memory_copy,
         .copy = CopyKind::device_to_device,
         .name = "device to device",
         .launches = 2,
         .time = nanoseconds(2848),
         .shortest = nanoseconds(1408),
         .longest = nanoseconds(1440),
         .blocks_with_work = std::nullopt}};
}

std::vector<OpSample> op_samples() {
    return {
        {0, OpKind::indptr, Placement::out, 2, nanoseconds(3552)},
        {0, OpKind::page_table, Placement::in, 1, nanoseconds(96'000)},
        {1, OpKind::indptr, Placement::out, 2, nanoseconds(3488)},
        {1, OpKind::page_table, Placement::in, 1, nanoseconds(95'488)}};
}

std::vector<StepRecord> step_records() {
    return {
        {.step = 0,
         .batch = 0,
         .records = 3,
         .span = nanoseconds(105'500),
         .busy_sum = nanoseconds(99'552),
         .busy_union = nanoseconds(99'552),
         .tail = nanoseconds(6500)},
        {.step = 1,
         .batch = 0,
         .records = 3,
         .span = nanoseconds(104'488),
         .busy_sum = nanoseconds(98'976),
         .busy_union = nanoseconds(98'976),
         .tail = std::nullopt}};
}

std::vector<KernelEvent> events() {
    constexpr std::int64_t kStream = 13;
    return {
        {0, 1, kStream, 0, nanoseconds(0), nanoseconds(2112)},
        {0, 2, kStream, 0, nanoseconds(3200), nanoseconds(1440)},
        {0, 0, kStream, kNode, nanoseconds(9500), nanoseconds(96'000)},
        {1, 1, kStream, 0, nanoseconds(112'000), nanoseconds(2080)},
        {1, 2, kStream, 0, nanoseconds(115'200), nanoseconds(1408)},
        {1, 0, kStream, kNode, nanoseconds(121'000), nanoseconds(95'488)}};
}

/// The graph itself takes 2 MiB when it is instantiated; capture and upload move nothing.
std::vector<MarkReading> marks() {
    const auto free = [](MemoryMark mark, std::int64_t mib) {
        return MarkReading{mark, MemorySource::device_free, Bytes{mib * kMiB}};
    };
    return {
        free(MemoryMark::warmed, 0),
        free(MemoryMark::buffers, 1024),
        free(MemoryMark::captured, 1024),
        free(MemoryMark::instantiated, 1026),
        {MemoryMark::instantiated, MemorySource::graph_reserved, Bytes{0}},
        {MemoryMark::instantiated, MemorySource::host_resident, Bytes{612 * kMiB}},
        free(MemoryMark::uploaded, 1026),
        free(MemoryMark::first_replay, 1026),
        free(MemoryMark::replayed, 1026),
        free(MemoryMark::destroyed, 1026),
        free(MemoryMark::trimmed, 1024)};
}

void add_timing_pass(Run& run) {
    for (const std::int64_t us : {110, 111, 109}) {
        run.samples.push_back(
            {.ordinal = std::ssize(run.samples),
             .replays = 20,
             .gpu_time = microseconds(us * 20),
             .wall_time = microseconds((us + 1) * 20),
             .discarded = std::nullopt}
        );
    }
    run.host_times = {
        .steps = 64,
        .before = microseconds(540),
        .launch = microseconds(310),
        .after = microseconds(96)};
    run.states = states();
    run.conditions = {
        {ConditionKind::power_capped, "power cap at 1 of 3 readings (power 312 W of 700 W)"},
        {ConditionKind::untimed_records,
         "2 of 2 records have no start, no end, or an end before the start",
         Pass::graph}};
}

} // namespace

Run traced_run() {
    Run run;
    run.uuid = uuid_of('4');
    run.variant = "index-mode=rectangle";
    run.process_id = 4711;
    run.started_at = "2026-01-02T03:04:05Z";
    run.step.index_mode = IndexMode::rectangle;
    run.step.grid = Grid::ctx;
    run.step.placement = Placement::in;
    run.measure = measure();
    run.environment = environment();
    run.pool = {.schedulable_tokens = 1 << 20, .state_slots = 64};
    run.check = {.ids_compared = 65'536, .attention_error = 1.25e-7, .attention_rows = 64};
    run.graph_nodes = 1;
    run.warmup_replays = 400;
    add_timing_pass(run);
    run.ops = {
        {OpKind::indptr, Stage::metadata, Placement::out, 1, 1},
        {OpKind::page_table, Stage::metadata, Placement::in, 1, 0}};
    run.memory = {{"table", MemorySource::ledger, "graph", Bytes{kGiB}}};
    run.passes = passes();
    run.calls = calls();
    run.kernels = kernels();
    run.op_samples = op_samples();
    run.step_records = step_records();
    run.events = events();
    run.marks = marks();
    run.executables = {{1, 1, Bytes{0}}, {16, 1, Bytes{2 * kMiB}}, {64, 1, Bytes{6 * kMiB}}};
    run.slack = Bytes{1536 * 1024};
    return run;
}

} // namespace kvprof::test
