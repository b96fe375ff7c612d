#include "capture/workload/capture_buffers.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::workload {

namespace {

/// The same of both token pools: the larger one.
template<typename Value>
std::int64_t larger(const StepPlan& plan, const Value& value) {
    return std::max(value(plan.full), plan.swa ? value(*plan.swa) : 0);
}

std::int64_t value_of(const StepPlan& plan, SizeSymbol symbol) {
    switch (symbol) {
    case SizeSymbol::batch: return plan.spec.max_batch;
    case SizeSymbol::step_tokens: return plan.step_tokens;
    case SizeSymbol::context: return plan.context;
    case SizeSymbol::page_size: return plan.spec.page_size;
    case SizeSymbol::own_pages: return plan.own_width;
    case SizeSymbol::rectangle: return 4 * plan.spec.max_batch * plan.table_width;
    case SizeSymbol::window: return plan.model.swa.window;
    case SizeSymbol::query_heads:
        return larger(plan, [](const TokenPool& pool) { return pool.heads.query_heads; });
    case SizeSymbol::splits: return kMostSplits;
    case SizeSymbol::value_dim:
        return larger(plan, [](const TokenPool& pool) { return pool.heads.dim_v; });
    case SizeSymbol::element_bytes: return element_bytes(plan.model.full.element);
    case SizeSymbol::batch_ids: return bounded_ids(plan, plan.spec.max_batch);
    case SizeSymbol::step_ids: return bounded_ids(plan, plan.step_tokens);
    case SizeSymbol::wrappers: return plan.model.swa.layers > 0 ? 2 : 1;
    }
    return 0;
}

[[noreturn]] void refuse_overflow(const StepPlan& plan, const ByteFormula& formula) {
    throw UsageError(
        fmt::format(
            "could not plan the step: {} of {} are more bytes than 62 bits count",
            formula.text,
            plan.backend.name
        ),
        "lower --max-context, --max-batch or --delta"
    );
}

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

std::int64_t
product_of(const StepPlan& plan, const ByteFormula& formula, const ByteFormula::Term& term) {
    std::int64_t product = term.factor;
    for (const SizeSymbol symbol : term.symbols) {
        if (__builtin_mul_overflow(product, value_of(plan, symbol), &product)) {
            refuse_overflow(plan, formula);
        }
    }
    return product;
}

bool holds(const StepPlan& plan, BufferCondition condition) {
    switch (condition) {
    case BufferCondition::swa: return plan.model.swa.layers > 0;
    case BufferCondition::unified: return plan.is_unified();
    case BufferCondition::rectangle: return plan.has_rectangle();
    case BufferCondition::speculation: return plan.spec.delta > 0;
    case BufferCondition::verify: return plan.verifies();
    }
    return false;
}

} // namespace

std::int64_t bounded_ids(const StepPlan& plan, std::int64_t lanes) {
    switch (plan.spec.stream_bound) {
    case StreamBound::context: return lanes * plan.context;
    case StreamBound::pool: return plan.pool_tokens + plan.spec.max_batch * (1 + plan.spec.delta);
    }
    return 0;
}

std::int64_t bytes_of(const StepPlan& plan, const ByteFormula& formula) {
    std::int64_t sum = 0;
    for (const ByteFormula::Term& term : formula.terms) {
        if (__builtin_add_overflow(sum, product_of(plan, formula, term), &sum)
            || sum > kMostBytes) {
            refuse_overflow(plan, formula);
        }
    }
    return sum;
}

bool exists(const StepPlan& plan, const CaptureBuffer& buffer) {
    return std::ranges::all_of(buffer.when, [&](BufferCondition condition) {
        return holds(plan, condition);
    });
}

const CaptureBuffer* find_capture_buffer(const StepPlan& plan, std::string_view name) {
    const auto found = std::ranges::find(plan.backend.buffers, name, &CaptureBuffer::name);
    return found != plan.backend.buffers.end() && exists(plan, *found) ? &*found : nullptr;
}

} // namespace kvprof::workload
