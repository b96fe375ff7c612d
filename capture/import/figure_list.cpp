#include "capture/import/figures.h"

#include <initializer_list>
#include <utility>

namespace kvprof::import {

namespace {

using List = std::vector<ProfileFigure>;

void put(List& to, std::initializer_list<std::pair<const char*, std::int64_t>> figures) {
    for (const auto& [name, value] : figures) {
        to.push_back({name, value});
    }
}

void put_gpu(List& to, const RankTotals& of) {
    // Of all devices together: each is idle when it does nothing between the first work of the rank
    // and its last.
    const std::int64_t idle = of.gpu.length() * of.devices - of.busy;
    put(to,
        {{"gpu.kernel.count", of.kernels.count},
         {"gpu.kernel.sum", of.kernels.sum},
         {"gpu.kernel.union", of.kernel_union},
         {"gpu.kernel.untimed", of.untimed_kernels},
         {"gpu.memcpy.count", of.copies.count},
         {"gpu.memcpy.sum", of.copies.sum},
         {"gpu.memset.count", of.fills.count},
         {"gpu.memset.sum", of.fills.sum},
         {"gpu.busy", of.busy},
         {"gpu.idle", idle},
         {"gpu.devices", of.devices},
         {"span.wall", of.wall.length()},
         {"span.gpu", of.gpu.length()},
         {"span.kernel", of.kernel_span.length()}});
}

void put_calls(List& to, const RankTotals& of) {
    put(to,
        {{"api.calls", of.calls.count},
         {"api.sum", of.calls.sum},
         {"api.launch", of.launches},
         {"api.graph_launch", of.graph_launches},
         {"api.memcpy", of.copy_calls},
         {"api.memset", of.fill_calls},
         {"api.sync", of.sync_calls}});
}

} // namespace

List Figures::of_rank(std::size_t rank) const {
    const RankTotals& of = totals_.at(rank);
    const bool is_nsys = recorded_->source == ProfileSource::nsys;
    const std::int64_t replays = of.replays.count + of.untimed_replays;
    List list;
    put_gpu(list, of);
    put_calls(list, of);
    if (!is_nsys) {
        put(list,
            {{"cpu_op.count", of.ops.count},
             {"cpu_op.inclusive", of.ops.sum},
             {"cpu_op.top", of.top_ops.sum},
             {"cpu_op.top.count", of.top_ops.count}});
    }
    put(list, {{"kernels.eager.count", of.eager.count}, {"kernels.eager.sum", of.eager.sum}});
    if (replays == 0 || of.graph.count > 0) {
        put(list, {{"kernels.graph.count", of.graph.count}, {"kernels.graph.sum", of.graph.sum}});
    }
    put(list, {{"kernels.orphan.count", of.orphan.count}, {"kernels.orphan.sum", of.orphan.sum}});
    if (is_nsys || replays > 0) {
        put(list,
            {{"graph_trace.count", replays},
             {"graph_trace.sum", of.replays.sum},
             {"graph_trace.untimed", of.untimed_replays}});
    }
    // Nobody knows whose the rejected ones were: they count once for the file.
    std::int64_t rejected = 0;
    for (const auto& [reason, count] : recorded_->rejected) {
        rejected += rank == 0 ? count : 0;
    }
    put(list,
        {{"quality.rejected", rejected},
         {"quality.same_stream_overlaps", of.overlaps.count},
         {"quality.same_stream_overlap_time", of.overlaps.sum},
         {"quality.launches_without_kernel", of.launches_without_kernel},
         {"quality.graphs_without_kernels", of.graphs_without_kernels},
         {"quality.kernels_before_launch", of.before_launch}});
    return list;
}

} // namespace kvprof::import
