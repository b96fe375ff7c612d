#include "tests/activity/trace_rig.h"

namespace kvprof::activity::test {

Tag op_tag(OpKind op, Placement placement, std::int32_t ordinal) {
    return {
        .role = Role::op,
        .op = op,
        .stage = Stage::metadata,
        .placement = placement,
        .ordinal = ordinal};
}

std::uint32_t TraceRig::shape(const Shape& shape) {
    recording.shapes.push_back(shape);
    return static_cast<std::uint32_t>(recording.shapes.size() - 1);
}

std::uint32_t TraceRig::kernel(const std::string& name, Dim3 grid) {
    return shape({.kind = ActivityKind::kernel, .name = name, .grid = grid, .block = {128, 1, 1}});
}

void TraceRig::executable(const Executable& counts, const std::vector<Tag>& tags) {
    recording.executables.push_back(counts);
    recording.node_tags.push_back(tags);
}

void TraceRig::launch(std::uint32_t correlation, const Tag& tag, std::int64_t step) {
    recording.launches.push_back({correlation, ApiKind::kernel_launch, tag, step});
}

void TraceRig::replay(std::uint32_t correlation, std::int64_t step) {
    recording.launches.push_back({correlation, ApiKind::graph_launch, kReplayTag, step});
}

void TraceRig::eager(Record record, const Tag& tag, std::int64_t step) {
    launch(record.correlation, tag, step);
    records.push_back(record);
}

Joined TraceRig::join() const {
    Recording complete{
        .shapes = recording.shapes,
        .spans = recording.spans,
        .launches = recording.launches,
        .executables = recording.executables,
        .node_tags = recording.node_tags,
        .dropped = recording.dropped,
        .refused_buffers = recording.refused_buffers,
        .unknown_kinds = recording.unknown_kinds,
        .nodes_cross_checked = recording.nodes_cross_checked,
        .failure = recording.failure};
    for (const Record& record : records) {
        complete.records.append(record);
    }
    return activity::join(complete, how);
}

TraceRig two_steps() {
    TraceRig rig;
    rig.how = {.steps = 2, .steps_per_batch = 2};
    const std::uint32_t table = rig.kernel("table", {4, 1, 1});
    const std::uint32_t write = rig.kernel("write", {2, 1, 1});
    const std::uint32_t attention = rig.kernel("attention", {2, 3, 1});
    const std::uint32_t copy = rig.shape(
        {.kind = ActivityKind::memory_copy,
         .copy = CopyKind::device_to_device,
         .name = "memory copy",
         .bytes = 64}
    );
    rig.executable(
        {.id = 7, .kernels = 2, .memory_copies = 1},
        {op_tag(OpKind::write_loc, Placement::in, 0),
         op_tag(OpKind::append, Placement::in, 1),
         op_tag(OpKind::attention, Placement::in, 2)}
    );
    for (std::uint32_t step = 0; step < 2; ++step) {
        const std::uint64_t at = 1000 + std::uint64_t{step} * 440;
        const std::uint32_t first = 20 + 2 * step; // correlation
        rig.eager(
            {.start = at, .end = at + 100, .correlation = first, .shape = table},
            op_tag(OpKind::page_table, Placement::out),
            step
        );
        rig.replay(first + 1, step);
        const auto node = [&](std::uint64_t index, std::uint32_t shape, std::uint64_t from) {
            const std::uint64_t times[] = {50, 20, 200}; // NOLINT
            rig.records.push_back(
                {.start = at + from,
                 .end = at + from + times[index],
                 .node = node_id(7, index),
                 .correlation = first + 1,
                 .shape = shape}
            );
        };
        node(0, write, 110);
        node(1, copy, 170);
        node(2, attention, 200);
    }
    return rig;
}

} // namespace kvprof::activity::test
