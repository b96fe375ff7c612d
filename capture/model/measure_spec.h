#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/field.h"

#include <cstdint>
#include <string>

namespace kvprof {

/// Where a step runs. `automatic` is resolved before a run is stored; `scripted` is for tests of
/// the protocol and no part of --help.
enum class ExecutorKind : std::uint8_t { automatic, cuda, host, scripted };
/// State of the L2 cache when a replay starts.
enum class L2Mode : std::uint8_t { warm, flush, loop };

template<>
struct EnumNames<ExecutorKind> {
    static constexpr std::array values{
        std::pair{ExecutorKind::automatic, "auto"},
        std::pair{ExecutorKind::cuda, "cuda"},
        std::pair{ExecutorKind::host, "host"},
        std::pair{ExecutorKind::scripted, "scripted"}};
};

template<>
struct EnumNames<L2Mode> {
    static constexpr std::array values{
        std::pair{L2Mode::warm, "warm"},
        std::pair{L2Mode::flush, "flush"},
        std::pair{L2Mode::loop, "loop"}};
};

/// How a step is measured. Stored with the run beside the StepSpec.
struct MeasureSpec {
    ExecutorKind executor = ExecutorKind::automatic;
    std::string op;
    std::int64_t samples = 0;
    std::int64_t replays = 0;
    std::int64_t op_launches = 20;
    double run_time_s = 10.0;
    double warmup_max_s = 30.0;
    L2Mode l2 = L2Mode::warm;
    std::int64_t device = 0;
    std::string passes = "auto";
    std::int64_t trace_steps = 200;
    std::int64_t keep_events = 3;
    std::int64_t cached_block = 0; ///< MiB
    std::string script;

    friend bool operator==(const MeasureSpec&, const MeasureSpec&) = default;
};

template<SpecOf<MeasureSpec> Spec, typename Visit>
void visit_fields(Spec& spec, Visit&& visit) {
    const auto info = [](const char* n, const char* d) { return FieldInfo{n, "Measure", d}; };
    visit(
        info("executor", "where the step runs; auto takes the GPU when there is one"), spec.executor
    );
    visit(
        info("op", "measure this op alone instead of the step (page-table, token-stream, ...)"),
        spec.op
    );
    visit(
        info(
            "samples",
            "timed batches of replays; 0: until 200 replays and 0.5 s are timed and the median is "
            "known to 0.25 %"
        ),
        spec.samples
    );
    visit(info("replays", "replays in a batch; 0: as many as fill 20 ms"), spec.replays);
    visit(info("op-launches", "launches of the op in one graph, with --op"), spec.op_launches);
    visit(info("run-time", "seconds after which --samples 0 stops all the same"), spec.run_time_s);
    visit(
        info("warmup-max", "seconds of warm-up after which a run counts as not steady"),
        spec.warmup_max_s
    );
    visit(
        info("l2", "L2 cache: warm, flushed before each replay, or looping over several copies"),
        spec.l2
    );
    visit(info("device", "CUDA device ordinal"), spec.device);
    visit(
        info(
            "passes",
            "processes that observe the step, joined by +: timing, counts, graph, nodes, memory; "
            "all; auto takes all in a variant's first repeat and timing in the others"
        ),
        spec.passes
    );
    visit(info("trace-steps", "steps that a tracing pass records"), spec.trace_steps);
    visit(
        info("keep-events", "traced steps whose records are stored, for a timeline"),
        spec.keep_events
    );
    visit(
        info(
            "cached-block",
            "MiB held before the first mark, from which graph buffers are served as a caching "
            "allocator would; 0: none"
        ),
        spec.cached_block
    );
    visit(FieldInfo{"script", "", "file that the scripted executor plays"}, spec.script);
}

} // namespace kvprof
