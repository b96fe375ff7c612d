#include "capture/workload/graph_model.h"

#include "capture/workload/capture_buffers.h"

#include <algorithm>
#include <cstdint>

namespace kvprof::workload {

namespace {

constexpr std::int64_t kTableEntry = 4;

MemoryStat term(const char* group, const std::string& name, std::int64_t bytes) {
    return {name, MemorySource::model, group, Bytes{bytes}};
}

/// The pool's own part: what a static pool would not have.
bool is_added(const CaptureBuffer& buffer) {
    return std::ranges::any_of(buffer.when, [](BufferCondition condition) {
        return condition == BufferCondition::unified || condition == BufferCondition::rectangle;
    });
}

/// A stream reader on a static pool with a rectangle: no stream is packed, and the table is read.
void add_tables_in_place(const StepPlan& plan, std::vector<MemoryStat>& terms) {
    if (!plan.reads_block_table() || plan.backend.reads == ReadForm::table) {
        return;
    }
    const std::int64_t bytes = kTableEntry * plan.spec.max_batch * plan.table_width;
    terms.push_back(term("always", "block_table", bytes));
    if (plan.model.swa.layers > 0) {
        terms.push_back(term("always", "window_block_table", bytes));
    }
}

/// A stream or a table of its own for each reader after the first.
void add_consumers(const StepPlan& plan, std::vector<MemoryStat>& terms) {
    const std::int64_t more = plan.spec.consumers - 1;
    if (more == 0) {
        return;
    }
    if (plan.backend.reads == ReadForm::table) {
        const std::int64_t table = kTableEntry * plan.spec.max_batch * plan.own_width;
        terms.push_back(term("always", "more_tables", more * table));
        return;
    }
    const CaptureBuffer* stream = find_capture_buffer(plan, "stream");
    if (stream != nullptr) {
        terms.push_back(term("always", "more_streams", more * bytes_of(plan, stream->bytes)));
    }
}

} // namespace

std::vector<MemoryStat> graph_model(const StepPlan& plan) {
    std::vector<MemoryStat> terms;
    if (plan.micro_op) {
        return terms;
    }
    for (const CaptureBuffer& buffer : plan.backend.buffers) {
        if (exists(plan, buffer)) {
            const char* const group = is_added(buffer) ? "added" : "always";
            terms.push_back(term(group, buffer.name, bytes_of(plan, buffer.bytes)));
        }
    }
    add_tables_in_place(plan, terms);
    add_consumers(plan, terms);
    return terms;
}

} // namespace kvprof::workload
