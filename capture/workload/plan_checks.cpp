#include "capture/workload/plan_checks.h"

#include "capture/model/error.h"
#include "capture/model/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kMostBatch = 65'535; // the y and z of a CUDA grid
constexpr std::int64_t kMostContext = std::int64_t{1} << 27;
constexpr std::int64_t kMostHeads = 65'536;
constexpr std::int64_t kMostConsumers = 256;
constexpr std::int64_t kMostReplays = 1'000'000;
constexpr std::int64_t kMostDevice = 1'023;
constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 24;
constexpr double kMostDelayUs = 1e6;
constexpr double kMostSeconds = 1e6;
constexpr std::int64_t kMostIds = std::numeric_limits<std::int32_t>::max();

void at_least(const char* option, std::int64_t value, std::int64_t least) {
    if (value < least) {
        throw UsageError(
            fmt::format("could not plan the step: --{} {} is below {}", option, value, least)
        );
    }
}

void at_most(const char* option, std::int64_t value, std::int64_t most) {
    if (value > most) {
        throw UsageError(
            fmt::format("could not plan the step: --{} {} is above {}", option, value, most)
        );
    }
}

void is_share(const char* option, double value) {
    if (!(value >= 0.0 && value <= 1.0)) {
        throw UsageError(
            fmt::format("could not plan the step: --{} {} is no share from 0 to 1", option, value)
        );
    }
}

void check_page_size(std::int64_t page_size) {
    if (std::find(kPageSizes.begin(), kPageSizes.end(), page_size) == kPageSizes.end()) {
        throw UsageError(
            fmt::format("could not plan the step: no kernel takes --page-size {}", page_size),
            fmt::format("page sizes are {}", fmt::join(kPageSizes, ", "))
        );
    }
}

void check_long_lane(const StepSpec& spec) {
    if (spec.length_law == LengthLaw::one_long) {
        at_least("long-len", spec.long_len, 1);
        at_most("long-len", spec.long_len, kMostContext);
    } else if (spec.long_len != 0) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --long-len {} has no effect under --length-law {}",
                spec.long_len,
                to_string(spec.length_law)
            ),
            "use --length-law one-long"
        );
    }
}

void check_lanes(const StepSpec& spec) {
    at_least("batch", spec.batch, 1);
    at_most("max-batch", spec.max_batch, kMostBatch);
    if (spec.batch > spec.max_batch) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --batch {} exceeds --max-batch {}",
                spec.batch,
                spec.max_batch
            ),
            fmt::format("graph buffers are sized by --max-batch; raise it to {}", spec.batch)
        );
    }
    at_least("seq-len", spec.seq_len, 1);
    at_most("seq-len", spec.seq_len, kMostContext);
    check_long_lane(spec);
    at_least("max-context", spec.max_context, 0);
    at_most("max-context", spec.max_context, kMostContext);
    at_least("seed", spec.seed, 0);
    is_share("holes", spec.holes);
    is_share("tombstones", spec.tombstones);
    is_share("prefix-share", spec.prefix_share);
    is_share("churn", spec.churn);
}

void check_dcp(const StepSpec& spec) {
    at_least("dcp", spec.dcp, 1);
    at_most("dcp", spec.dcp, 1024);
    if (spec.dcp_rank < 0 || spec.dcp_rank >= spec.dcp) {
        throw UsageError(fmt::format(
            "could not plan the step: --dcp-rank {} is not a rank of --dcp {}",
            spec.dcp_rank,
            spec.dcp
        ));
    }
}

/// A cycle replaces each lane once, so it takes a whole number of steps.
void check_cycle(double churn) {
    constexpr double kMostSteps = 1 << 20;
    constexpr double kTolerance = 1e-6; // 0.3333333 is one in 3 steps
    const double steps = 1.0 / churn;
    const double whole = std::clamp(std::round(steps), 1.0, kMostSteps);
    if (!(std::abs(steps - whole) <= kTolerance * whole)) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --churn {} replaces a lane every {} steps, which is no "
                "whole number from 1 to {}",
                churn,
                steps,
                kMostSteps
            ),
            fmt::format("the nearest share that can be is {}: every {} steps", 1.0 / whole, whole)
        );
    }
}

void check_churn(const StepSpec& spec) {
    if (spec.churn <= 0.0) {
        return;
    }
    check_cycle(spec.churn);
    const std::array<std::pair<const char*, bool>, 4> kFixed{{
        {"--holes", spec.holes > 0.0},
        {"--tombstones", spec.tombstones > 0.0},
        {"--prefix-share", spec.prefix_share > 0.0},
        {"--delta", spec.delta > 0},
    }};
    for (const auto& [option, is_set] : kFixed) {
        if (is_set) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: --churn {} goes without {}", spec.churn, option
                ),
                "pages that are shared, missing or drafted can not be freed with their request"
            );
        }
    }
}

} // namespace

namespace {

void check_seconds(const char* option, double seconds) {
    if (!(seconds > 0.0 && seconds <= kMostSeconds)) {
        throw UsageError(fmt::format(
            "could not plan the step: --{} {} is outside 0 to 1,000,000 s", option, seconds
        ));
    }
}

void check_measure(const MeasureSpec& how) {
    if (!how.script.empty() && how.executor != ExecutorKind::scripted) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --script {} is played by no --executor {}",
                how.script,
                to_string(how.executor)
            ),
            "use --executor scripted"
        );
    }
    at_least("samples", how.samples, 0);
    at_most("samples", how.samples, kMostReplays);
    at_least("replays", how.replays, 0);
    at_most("replays", how.replays, kMostReplays);
    at_least("op-launches", how.op_launches, 1);
    at_most("op-launches", how.op_launches, 4096);
    at_least("device", how.device, 0);
    at_most("device", how.device, kMostDevice);
    at_least("trace-steps", how.trace_steps, 1);
    at_most("trace-steps", how.trace_steps, kMostReplays);
    at_least("keep-events", how.keep_events, 0);
    at_most("keep-events", how.keep_events, kMostReplays);
    at_least("cached-block", how.cached_block, 0);
    at_most("cached-block", how.cached_block, kMostMebibytes);
    check_seconds("warmup-max", how.warmup_max_s);
    check_seconds("run-time", how.run_time_s);
}

} // namespace

void check_values(const StepSpec& spec, const MeasureSpec& how) {
    check_page_size(spec.page_size);
    check_lanes(spec);
    at_least("tp", spec.tp, 1);
    at_most("tp", spec.tp, kMostHeads);
    at_least("layers", spec.layers, 0);
    at_least("query-heads", spec.query_heads, 0);
    at_most("query-heads", spec.query_heads, kMostHeads);
    at_least("pool-tokens", spec.pool_tokens, 0);
    at_most("pool-tokens", spec.pool_tokens, kMostIds);
    at_least("delta", spec.delta, 0);
    at_most("delta", spec.delta, kMostContext);
    at_least("consumers", spec.consumers, 1);
    at_most("consumers", spec.consumers, kMostConsumers);
    at_least("compact-pages", spec.compact_pages, 0);
    at_most("compact-pages", spec.compact_pages, kMostIds);
    if (!(spec.delay_us >= 0.0 && spec.delay_us <= kMostDelayUs)) {
        throw UsageError(fmt::format(
            "could not plan the step: --delay-us {} is outside 0 to 1,000,000", spec.delay_us
        ));
    }
    check_dcp(spec);
    check_churn(spec);
    check_measure(how);
}

namespace {

/// Sizes that a preset file may give: what follows multiplies them in 64 bits.
void check_preset(const ModelSpec& model) {
    constexpr double kMostTokenBytes = 1 << 30;
    constexpr double kMostStateBytes = double{1 << 30} * 1024.0;
    const auto refuse = [&](const char* what, double value, double most) {
        if (value > most) {
            throw UsageError(fmt::format(
                "could not plan the step: {} has {} {}, above {}", model.name, what, value, most
            ));
        }
    };
    const auto of = [](std::int64_t count) { return static_cast<double>(count); };
    refuse("a max_context of", of(model.max_context), of(kMostContext));
    refuse("a window of", of(model.swa.window), of(kMostContext));
    refuse("query heads:", of(model.query_heads), of(kMostHeads));
    for (const AttentionShape* shape : {&model.full, &model.swa}) {
        const double row = 2.0 * of(shape->kv_heads) * of(shape->head_dim) + of(shape->latent_dim)
                           + of(shape->rope_dim);
        const double bytes = of(shape->layers) * row * of(element_bytes(shape->element));
        refuse("token bytes:", bytes, kMostTokenBytes);
    }
    double channels = 0.0;
    for (const std::int64_t count : model.state.conv_channels) {
        channels += of(count);
    }
    const auto [heads, rows, columns] = model.state.temporal;
    const double elements =
        of(model.state.conv_taps) * channels + of(heads) * of(rows) * of(columns);
    refuse("state bytes:", 4.0 * of(model.state.layers) * elements, kMostStateBytes);
}

/// The kernels that write and read KV know one element type; index work alone touches no KV.
void check_elements(const ModelSpec& model) {
    for (const auto& [name, shape] : {std::pair{"full", &model.full}, {"swa", &model.swa}}) {
        if (shape->layers > 0 && shape->element != ElementType::bf16) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: [{}] of {} has {} elements, and the kernels write "
                    "bf16",
                    name,
                    model.name,
                    to_string(shape->element)
                ),
                "use a preset with element = \"bf16\", or measure index work alone with --op"
            );
        }
    }
}

} // namespace

void check_model(const StepSpec& spec, const ModelSpec& model, bool is_micro) {
    check_preset(model);
    if (!is_micro) {
        check_elements(model);
    }
    if (model.full.layers == 0) {
        throw UsageError(fmt::format(
            "could not plan the step: preset {} has no full-attention layer", model.name
        ));
    }
    at_most("layers", spec.layers, model.full.layers);
}

} // namespace kvprof::workload
