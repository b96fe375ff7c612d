#pragma once

#include "capture/model/environment.h"
#include "capture/model/measure_spec.h"
#include "capture/model/op_kind.h"
#include "capture/model/step_spec.h"
#include "capture/model/units.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof {

/// What became of a run. A run that could not be measured is a row with its reason, never missing.
enum class RunState : std::uint8_t { complete, invalid, not_run, interrupted };

template<>
struct EnumNames<RunState> {
    static constexpr std::array values{
        std::pair{RunState::complete, "complete"},
        std::pair{RunState::invalid, "invalid"},
        std::pair{RunState::not_run, "not-run"},
        std::pair{RunState::interrupted, "interrupted"}};
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

    friend bool operator==(const OpStat&, const OpStat&) = default;
};

/// Where a memory figure comes from; figures of two sources are never compared.
enum class MemorySource : std::uint8_t { ledger, device_free };

template<>
struct EnumNames<MemorySource> {
    static constexpr std::array values{
        std::pair{MemorySource::ledger, "ledger"},
        std::pair{MemorySource::device_free, "device-free"}};
};

/// Bytes of one named buffer (ledger), or by which the used memory of the device grew from before
/// to after a step's set-up (device_free; below zero when others gave memory back).
struct MemoryStat {
    std::string name;
    MemorySource source{};
    std::string group; ///< "graph", "tables", "inputs", "pool", "scratch", "model" or "device"
    Bytes bytes;

    friend bool operator==(const MemoryStat&, const MemoryStat&) = default;
};

/// One process launch that measured one variant: the statistical unit.
struct Run {
    std::string uuid;    ///< 32 hex digits
    std::string variant; ///< the fields that vary in its experiment, "index-mode=stream batch=8"
    std::int64_t repeat = 0;
    std::int64_t position = 0; ///< place in the experiment's order
    std::int64_t process_id = 0;
    std::string started_at; ///< UTC, ISO 8601
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
    std::vector<std::string>
        notes; ///< "not-steady: ...", "foreign-process: ...", said with every figure

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

/// What one `kvprof run` started.
struct Experiment {
    std::string uuid;       ///< 32 hex digits
    std::string started_at; ///< UTC, ISO 8601
    std::string command_line;
    std::string label;
    ExperimentState state = ExperimentState::running;
    std::vector<Run> runs;

    friend bool operator==(const Experiment&, const Experiment&) = default;
};

} // namespace kvprof
