#include "tests/analyzers/traced_run.h"

#include <algorithm>
#include <chrono>

namespace kvprof::test {

namespace {

std::int64_t busy_of(const TracedShape& shape) {
    std::int64_t busy = 0;
    for (const TracedShape::OpTime& op : shape.ops) {
        busy += op.ns;
    }
    return busy;
}

void add_step(Run& run, const TracedShape& shape, std::int64_t batch, bool is_last) {
    using std::chrono::nanoseconds;
    const std::int64_t step = std::ssize(run.step_records);
    for (const TracedShape::OpTime& op : shape.ops) {
        run.op_samples.push_back({step, op.op, Placement::in, 1, nanoseconds(op.ns)});
    }
    const std::int64_t busy = busy_of(shape);
    StepRecord record{.step = step, .batch = batch, .records = std::ssize(shape.ops)};
    record.busy_sum = nanoseconds(busy);
    record.busy_union = nanoseconds(busy - shape.overlap);
    record.span = nanoseconds(busy - shape.overlap + shape.gap);
    if (shape.tail && !is_last) {
        record.tail = nanoseconds(*shape.tail);
    }
    run.step_records.push_back(record);
}

} // namespace

Run traced_like(const TracedShape& shape) {
    using std::chrono::nanoseconds;
    Run run;
    run.environment.executor = "cuda";
    for (std::int64_t i = 0; i < 6; ++i) {
        run.samples.push_back(
            {.ordinal = i,
             .replays = 10,
             .gpu_time = nanoseconds(10 * shape.untraced),
             .wall_time = nanoseconds(10 * shape.untraced)}
        );
    }
    PassResult nodes{.pass = Pass::nodes, .steps = shape.batches * shape.steps_per_batch};
    for (std::int64_t batch = 0; batch < shape.batches; ++batch) {
        nanoseconds recorded{0};
        for (std::int64_t step = 0; step < shape.steps_per_batch; ++step) {
            add_step(run, shape, batch, step + 1 == shape.steps_per_batch);
            const StepRecord& record = run.step_records.back();
            recorded += record.span + record.tail.value_or(nanoseconds(0));
        }
        const std::size_t last = shape.edges.size() - 1;
        const std::size_t edge = std::min(static_cast<std::size_t>(batch), last);
        TracedBatch timed{.ordinal = batch, .steps = shape.steps_per_batch};
        timed.gpu_time = recorded + nanoseconds(shape.edges[edge]);
        timed.recorded = recorded;
        nodes.batches.push_back(timed);
    }
    run.passes = {nodes};
    return run;
}

} // namespace kvprof::test
