#pragma once

#include "capture/model/ab_design.h"
#include "capture/model/ceilings.h"
#include "capture/model/device_state.h"
#include "capture/model/environment.h"
#include "capture/model/measure_spec.h"
#include "capture/model/memory_stat.h"
#include "capture/model/op_kind.h"
#include "capture/model/pass.h"
#include "capture/model/profile.h"
#include "capture/model/step_spec.h"
#include "capture/model/trace.h"
#include "capture/model/units.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof {

/// What became of a run. A run that could not be measured is a row with its reason, never missing.
/// A void one was measured under a condition that forbids to use it, and another run took its place
/// in the design.
enum class RunState : std::uint8_t { complete, invalid, not_run, interrupted, voided };

template<>
struct EnumNames<RunState> {
    static constexpr std::array values{
        std::pair{RunState::complete, "complete"},
        std::pair{RunState::invalid, "invalid"},
        std::pair{RunState::not_run, "not-run"},
        std::pair{RunState::interrupted, "interrupted"},
        std::pair{RunState::voided, "void"}};
};

struct RunStatus {
    RunState state = RunState::complete;
    std::string reason; ///< empty for a complete run
    int exit_code = 0;  ///< the ExitCode that this run alone would give the program, as stored

    friend bool operator==(const RunStatus&, const RunStatus&) = default;
};

/// Capacity that both sides of a comparison must share.
struct PoolFacts {
    std::int64_t schedulable_tokens = 0;
    std::int64_t state_slots = 0;

    friend bool operator==(const PoolFacts&, const PoolFacts&) = default;
};

/// Correctness before speed: device output against the host twin on the same inputs. An id that
/// differs makes the run invalid, so those compared are equal; a run on the host executor is the
/// twin itself, and its ids prove nothing.
struct Check {
    std::int64_t ids_compared = 0;
    /// Norm of (output - fp64 reference) over the reference's norm; absent when no attention ran.
    std::optional<double> attention_error;
    std::int64_t attention_rows = 0; ///< (lane, head, layer) rows compared

    friend bool operator==(const Check&, const Check&) = default;
};

/// One timed batch of replays, CUPTI off. `gpu_time` is the time between two device events (host
/// executor: host time of the op loop, measured on the host's clock); `wall_time` is the host's
/// clock around the batch.
struct Sample {
    std::int64_t ordinal = 0;
    std::int64_t replays = 0;
    std::chrono::nanoseconds gpu_time{0};
    std::chrono::nanoseconds wall_time{0};
    std::optional<std::string> discarded;

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// What the executor issues for one op in the steps of one cycle (Run::cycle_steps; 1 without
/// churn).
struct OpStat {
    OpKind op{};
    Stage stage{};
    Placement placement{};
    std::int64_t launches = 0; ///< kernel launches (graph nodes when placed in the graph)
    std::int64_t copies = 0;   ///< memory copies and fills
    /// What these launches and copies must move at least (kernels::least_bytes; a copy reads and
    /// writes); absent in runs of an older schema.
    std::optional<Bytes> least_bytes{};

    friend bool operator==(const OpStat&, const OpStat&) = default;
};

/// One variant measured once: the statistical unit. Its timing pass is one process; further passes
/// (`passes`) are processes of their own, which observe the same step.
struct Run {
    std::string uuid;    ///< 32 hex digits
    std::string variant; ///< the fields that vary in its experiment, "index-mode=stream batch=8"
    std::int64_t repeat = 0;
    std::int64_t position = 0; ///< place in the experiment's order
    std::int64_t process_id = 0;
    std::string started_at;    ///< UTC, ISO 8601
    std::optional<AbPlace> ab; ///< in an A/B experiment
    StepSpec step;
    MeasureSpec measure;
    RunStatus status;
    Environment environment;
    PoolFacts pool;
    Check check;
    std::int64_t graph_nodes = 0; ///< kernel nodes of the captured graph
    std::int64_t cycle_steps = 1; ///< steps that `ops` sums over: lengths repeat after them
    std::int64_t warmup_replays = 0;
    std::vector<Sample> samples;
    std::vector<OpStat> ops;
    std::vector<MemoryStat> memory;
    std::optional<HostTimes> host_times;  ///< timing pass
    std::vector<DeviceState> states;      ///< timing pass, in time order
    std::vector<Condition> conditions;    ///< of any pass
    std::vector<PassResult> passes;       ///< beside the timing pass, in the order of Pass
    std::vector<ApiStat> calls;           ///< counts pass
    std::vector<KernelStat> kernels;      ///< nodes pass
    std::vector<OpSample> op_samples;     ///< nodes pass, by step, in the order of first appearance
    std::vector<StepRecord> step_records; ///< nodes pass
    /// Graph pass: from the start of a replay's first node to the end of its last, a replay each.
    std::vector<std::chrono::nanoseconds> graph_spans;
    std::vector<KernelEvent> events;          ///< nodes pass, of the steps that were kept
    std::vector<MarkReading> marks;           ///< memory pass
    std::vector<ExecutablePoint> executables; ///< memory pass
    /// Memory pass: how much had to be allocated before the device's free memory moved. A zero
    /// delta is unresolved below this.
    std::optional<Bytes> slack;
    std::optional<Profile> profile; ///< of an imported run
    /// Of the device that it was measured on; absent where none were measured.
    std::optional<Ceilings> ceilings;
    std::vector<std::string> notes; ///< said with every figure

    friend bool operator==(const Run&, const Run&) = default;
};

enum class ExperimentState : std::uint8_t { running, complete, interrupted };

template<>
struct EnumNames<ExperimentState> {
    static constexpr std::array values{
        std::pair{ExperimentState::running, "running"},
        std::pair{ExperimentState::complete, "complete"},
        std::pair{ExperimentState::interrupted, "interrupted"}};
};

/// What an experiment is for: a matrix of variants, two sides in alternation, identical runs that
/// show the noise between runs, every system (preset, backend, pool, stage) once, one side of
/// profiles that another program recorded, the launch choices of an op at several shapes, or points
/// along axes of size, of one side or of two.
enum class ExperimentKind : std::uint8_t {
    matrix,
    ab,
    calibration,
    systems,
    imported,
    tune,
    sweep
};

template<>
struct EnumNames<ExperimentKind> {
    static constexpr std::array values{
        std::pair{ExperimentKind::matrix, "matrix"},
        std::pair{ExperimentKind::ab, "ab"},
        std::pair{ExperimentKind::calibration, "calibration"},
        std::pair{ExperimentKind::systems, "systems"},
        std::pair{ExperimentKind::imported, "imported"},
        std::pair{ExperimentKind::tune, "tune"},
        std::pair{ExperimentKind::sweep, "sweep"}};
};

/// What one `kvprof run` started.
struct Experiment {
    std::string uuid;       ///< 32 hex digits
    std::string started_at; ///< UTC, ISO 8601
    std::string command_line;
    std::string label;
    ExperimentState state = ExperimentState::running;
    ExperimentKind kind = ExperimentKind::matrix;
    std::optional<AbDesign> ab; ///< of ExperimentKind::ab, and of a sweep of two sides
    std::vector<Run> runs;

    friend bool operator==(const Experiment&, const Experiment&) = default;
};

} // namespace kvprof
