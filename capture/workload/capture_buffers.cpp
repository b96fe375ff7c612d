#include "capture/workload/capture_buffers.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvprof::workload {

namespace {

struct Symbol {
    std::string_view name;
    std::int64_t (*value)(const StepPlan& plan);
};

constexpr std::array<Symbol, 14> kSymbols{{
    {"B", [](const StepPlan& plan) { return plan.spec.max_batch; }},
    {"N", [](const StepPlan& plan) { return plan.step_tokens; }},
    {"C", [](const StepPlan& plan) { return plan.context; }},
    {"ps", [](const StepPlan& plan) { return plan.spec.page_size; }},
    {"P", [](const StepPlan& plan) { return plan.own_width; }},
    {"R", [](const StepPlan& plan) { return 4 * plan.spec.max_batch * plan.table_width; }},
    {"W", [](const StepPlan& plan) { return plan.model.swa.window; }},
    {"Hq",
     [](const StepPlan& plan) {
         const std::int64_t swa = plan.swa ? plan.swa->heads.query_heads : 0;
         return std::max(plan.full.heads.query_heads, swa);
     }},
    {"S", [](const StepPlan&) { return kMostSplits; }},
    {"dv",
     [](const StepPlan& plan) {
         const std::int64_t swa = plan.swa ? plan.swa->heads.dim_v : 0;
         return std::max(plan.full.heads.dim_v, swa);
     }},
    {"elt", [](const StepPlan& plan) { return element_bytes(plan.model.full.element); }},
    {"T", [](const StepPlan& plan) { return bounded_ids(plan, plan.spec.max_batch); }},
    {"U", [](const StepPlan& plan) { return bounded_ids(plan, plan.step_tokens); }},
    {"w", [](const StepPlan& plan) { return std::int64_t{plan.model.swa.layers > 0 ? 2 : 1}; }},
}};

std::int64_t value_of(const StepPlan& plan, std::string_view name) {
    const auto* const symbol = std::ranges::find(kSymbols, name, &Symbol::name);
    return symbol == kSymbols.end() ? 0 : symbol->value(plan); // the parser knows no other name
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
    for (const std::string& symbol : term.symbols) {
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
