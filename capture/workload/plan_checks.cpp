#include "capture/workload/plan_checks.h"

#include "capture/model/error.h"
#include "capture/model/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kMostBatch = 65'536;
constexpr std::int64_t kMostContext = std::int64_t{1} << 27;

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
    if (value < 0.0 || value > 1.0) {
        throw UsageError(
            fmt::format("could not plan the step: --{} {} is no share from 0 to 1", option, value)
        );
    }
}

void check_page_size(std::int64_t page_size) {
    constexpr std::array kPageSizes{1, 2, 3, 4, 16, 32, 64, 128};
    if (std::find(kPageSizes.begin(), kPageSizes.end(), page_size) == kPageSizes.end()) {
        throw UsageError(
            fmt::format("could not plan the step: no kernel takes --page-size {}", page_size),
            "page sizes are 1, 2, 3, 4, 16, 32, 64 and 128"
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
    at_least("max-context", spec.max_context, 0);
    at_most("max-context", spec.max_context, kMostContext);
    at_least("seed", spec.seed, 0);
    is_share("holes", spec.holes);
    is_share("tombstones", spec.tombstones);
    is_share("prefix-share", spec.prefix_share);
    is_share("churn", spec.churn);
}

void check_dcp(const StepSpec& spec, bool is_micro) {
    at_least("dcp", spec.dcp, 1);
    at_most("dcp", spec.dcp, 1024);
    if (spec.dcp_rank < 0 || spec.dcp_rank >= spec.dcp) {
        throw UsageError(fmt::format(
            "could not plan the step: --dcp-rank {} is not a rank of --dcp {}",
            spec.dcp_rank,
            spec.dcp
        ));
    }
    if (spec.dcp > 1 && !is_micro) {
        throw UsageError(
            fmt::format(
                "could not plan the step: a whole step does not read under --dcp {}", spec.dcp
            ),
            "measure the write path alone with --op write-loc-dcp"
        );
    }
}

void check_churn(const StepSpec& spec) {
    if (spec.churn <= 0.0) {
        return;
    }
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

void check_values(const StepSpec& spec, const MeasureSpec& how) {
    check_page_size(spec.page_size);
    check_lanes(spec);
    at_least("tp", spec.tp, 1);
    at_least("layers", spec.layers, 0);
    at_least("query-heads", spec.query_heads, 0);
    at_least("pool-tokens", spec.pool_tokens, 0);
    at_least("delta", spec.delta, 0);
    check_dcp(spec, !how.op.empty());
    check_churn(spec);
    at_least("samples", how.samples, 1);
    at_least("replays", how.replays, 0);
    at_least("op-launches", how.op_launches, 1);
    at_most("op-launches", how.op_launches, 4096);
    at_least("device", how.device, 0);
    if (!(how.warmup_max_s > 0.0)) {
        throw UsageError(
            fmt::format("could not plan the step: --warmup-max {} is not above 0", how.warmup_max_s)
        );
    }
}

void check_micro_op(const StepSpec& spec, OpKind op) {
    constexpr std::array kPhysical{
        OpKind::static_gather, OpKind::static_block_table, OpKind::indptr, OpKind::append};
    const bool is_physical = std::find(kPhysical.begin(), kPhysical.end(), op) != kPhysical.end();
    if (spec.pool == PoolKind::statik && !is_physical) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --op {} translates virtual ids, and --pool static has "
                "none",
                to_string(op)
            ),
            "use --pool unified"
        );
    }
}

void check_model(const StepSpec& spec, const ModelSpec& model, bool is_micro) {
    if (spec.attention_backend == AttentionBackend::flashinfer_mla && !is_mla(model.full)
        && !is_micro) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --attention-backend flashinfer_mla reads MLA rows, and "
                "{} has none",
                model.name
            ),
            "use --attention-backend triton"
        );
    }
    if (model.full.layers == 0) {
        throw UsageError(fmt::format(
            "could not plan the step: preset {} has no full-attention layer", model.name
        ));
    }
    at_most("layers", spec.layers, model.full.layers);
    if (model.swa.layers > 0 && !is_micro) {
        if (spec.pool == PoolKind::statik) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: {} has sliding windows, which the static pool does "
                    "not build yet",
                    model.name
                ),
                "use --pool unified, or a preset without sliding windows"
            );
        }
        if (spec.churn > 0.0) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: {} has sliding windows, whose pages --churn does not "
                    "free yet",
                    model.name
                ),
                "use --churn 0"
            );
        }
    }
}

void check_sizes(const StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    if (plan.max_len > plan.context) {
        throw UsageError(
            fmt::format(
                "could not plan the step: lanes reach {} tokens (--seq-len {}, --delta {}, churn "
                "cycle {}), beyond --max-context {}",
                plan.max_len,
                spec.seq_len,
                spec.delta,
                plan.phases,
                plan.context
            ),
            fmt::format("raise --max-context to {}", plan.max_len)
        );
    }
    const std::int64_t needed = most_stream_tokens(plan);
    if (needed > plan.stream_capacity()) {
        throw UsageError(
            fmt::format(
                "could not plan the step: stream overflow: the lanes list {} tokens but a stream "
                "bound by the pool holds {}",
                needed,
                plan.stream_capacity()
            ),
            "lanes that share a prefix each list it; raise --pool-tokens, or use --stream-bound "
            "context"
        );
    }
    if (needed > std::numeric_limits<std::int32_t>::max()) {
        throw UsageError(fmt::format(
            "could not plan the step: {} tokens in the lanes do not fit the int32 row starts",
            needed
        ));
    }
}

} // namespace kvprof::workload
