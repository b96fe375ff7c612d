#include "tests/support/example_runs.h"

namespace kvprof::test {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

StepSpec filled_step() {
    StepSpec step;
    step.preset = "gpt-oss-120b";
    step.tp = 2;
    step.layers = 3;
    step.query_heads = 4;
    step.pool = PoolKind::statik;
    step.page_size = 16;
    step.pool_tokens = 1 << 20;
    step.v2p = IndexWidth::i64;
    step.id_space = IdSpace::physical;
    step.batch = 8;
    step.max_batch = 32;
    step.max_context = 4096;
    step.length_law = LengthLaw::long_tail;
    step.seq_len = 1024;
    step.seed = 7;
    step.holes = 0.1;
    step.tombstones = 0.2;
    step.prefix_share = 1.0 / 3.0;
    step.fragmentation = Fragmentation::compacted;
    step.churn = 0.25;
    step.attention_backend = "triton";
    step.stage = HistoryStage::before;
    step.index_mode = IndexMode::rectangle;
    step.grid = Grid::ctx;
    step.table = LaunchForm::eager;
    step.table_tail = TableTail::zero;
    step.metadata = MetadataForm::plain;
    step.write = LaunchForm::eager;
    step.indptr = LaunchForm::fused;
    step.alloc = LaunchForm::eager;
    step.placement = Placement::in;
    step.stream_bound = StreamBound::pool;
    step.consumers = 2;
    step.share = Share::plan;
    step.delta = 5;
    step.verify = VerifyMode::ragged;
    step.dcp = 4;
    step.dcp_rank = 1;
    step.compact_pages = 6;
    step.long_len = 4096;
    step.index_split = IndexSplit::flat;
    step.index_threads = 256;
    step.index_items = 4;
    step.index_blocks = 528;
    step.launch_edges = LaunchEdges::programmatic;
    return step;
}

MeasureSpec filled_measure() {
    return {
        .executor = ExecutorKind::cuda,
        .op = "page-table",
        .samples = 2,
        .replays = 10,
        .op_launches = 5,
        .run_time_s = 4.5,
        .warmup_max_s = 2.5,
        .l2 = L2Mode::flush,
        .device = 1,
        .script = "a.toml"};
}

Environment filled_environment() {
    return {
        .executor = "cuda",
        .device_name = "NVIDIA H200",
        .device_uuid = "GPU-1",
        .compute_capability = "9.0",
        .sm_count = 132,
        .device_memory_bytes = 140 * kGiB,
        .device_free_bytes = 139 * kGiB,
        .driver = "580.95",
        .cuda_runtime = "13.0",
        .cupti = "unavailable: not found",
        .nvml = "13.580",
        .cpu_model = "a processor",
        .cpu_count = 16,
        .hostname = "host-a",
        .os = "Linux 6.1",
        .build = "0.1.0 (abc1234, Release)",
        .binary = "5e1f",
        .boot = "b007",
        .method = "9",
        .foreign = {{"before", 4242, kGiB}, {"after", 4242, 2 * kGiB}}};
}

} // namespace

std::string uuid_of(char digit) {
    constexpr std::size_t kDigits = 32;
    return std::string(kDigits, digit);
}

Run filled_run() {
    return {
        .uuid = uuid_of('a'),
        .variant = "index-mode=rectangle batch=8",
        .repeat = 1,
        .position = 2,
        .process_id = 4711,
        .started_at = "2026-01-02T03:04:05Z",
        .ab = AbPlace{.side = AbSide::b, .block = 1, .place = 2, .attempt = 1},
        .step = filled_step(),
        .measure = filled_measure(),
        .status = {.state = RunState::invalid, .reason = "an id differs", .exit_code = 6},
        .environment = filled_environment(),
        .pool = {.schedulable_tokens = 1000, .state_slots = 20},
        .check = {.ids_compared = 500, .attention_error = 1.0 / 3.0, .attention_rows = 12},
        .graph_nodes = 9,
        .cycle_steps = 4,
        .warmup_replays = 30,
        .samples =
            {{.ordinal = 0,
              .replays = 10,
              .gpu_time = nanoseconds(1001),
              .wall_time = nanoseconds(2002),
              .discarded = std::nullopt},
             {.ordinal = 1,
              .replays = 11,
              .gpu_time = nanoseconds(1003),
              .wall_time = nanoseconds(2004),
              .discarded = "interrupted"}},
        .ops =
            {{OpKind::page_table, Stage::metadata, Placement::out, 16, 1},
             {OpKind::attention, Stage::model, Placement::in, 7, 2}},
        .memory =
            {{"table", MemorySource::ledger, "graph", Bytes{kGiB}},
             {"after-capture", MemorySource::device_free, "device", Bytes{2 * kGiB}}},
        .notes = {"not-steady: 2.4 % after 10 s", "second note"}};
}

Experiment filled_experiment() {
    Experiment experiment{
        .uuid = uuid_of('e'),
        .started_at = "2026-01-02T03:04:00Z",
        .command_line = "kvprof run --vary index-mode=rectangle,stream",
        .label = "demo",
        .state = ExperimentState::complete,
        .kind = ExperimentKind::ab,
        .ab =
            AbDesign{
                .a = "index-mode=rectangle",
                .b = "index-mode=stream",
                .runs = 16,
                .looks = 3,
                .seed = 42,
                .attempt = 2,
                .treatment = {"index-mode", "program"}},
        .runs = {filled_run(), filled_run()}};
    experiment.runs[1].uuid = uuid_of('b');
    experiment.runs[1].position = 3;
    experiment.runs[1].ab = {.side = AbSide::a, .block = 1, .place = 3, .attempt = 0};
    return experiment;
}

Run step_run(IndexMode index_mode, const std::vector<std::int64_t>& step_us) {
    constexpr std::int64_t kReplays = 10;
    const bool is_stream = index_mode == IndexMode::stream;
    Run run;
    run.uuid = uuid_of(is_stream ? '2' : '1');
    run.variant = is_stream ? "index-mode=stream" : "index-mode=rectangle";
    run.started_at = "2026-01-02T03:04:05Z";
    run.step.index_mode = index_mode;
    run.measure.executor = ExecutorKind::cuda;
    run.environment = filled_environment();
    run.environment.foreign.clear();
    run.pool = {.schedulable_tokens = 1 << 20, .state_slots = 64};
    run.check = {.ids_compared = 65536, .attention_error = 1.25e-7, .attention_rows = 64};
    run.graph_nodes = is_stream ? 1 : 2;
    for (const std::int64_t us : step_us) {
        run.samples.push_back(
            {.ordinal = static_cast<std::int64_t>(run.samples.size()),
             .replays = kReplays,
             .gpu_time = microseconds(us * kReplays),
             .wall_time = microseconds((us + 1) * kReplays),
             .discarded = std::nullopt}
        );
    }
    if (is_stream) {
        run.ops = {{OpKind::token_stream, Stage::metadata, Placement::in, 1, 0}};
        run.memory = {{"stream", MemorySource::ledger, "graph", Bytes{kGiB}}};
    } else {
        run.ops = {
            {OpKind::page_table, Stage::metadata, Placement::in, 1, 0},
            {OpKind::repack, Stage::metadata, Placement::in, 1, 0}};
        run.memory = {
            {"table", MemorySource::ledger, "graph", Bytes{kGiB}},
            {"stream", MemorySource::ledger, "graph", Bytes{kGiB}}};
    }
    return run;
}

} // namespace kvprof::test
