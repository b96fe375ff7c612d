#include "capture/import/figures.h"

#include <algorithm>
#include <optional>

namespace kvprof::import {

namespace {

template<class R, class Order>
void put_in_order(Chunks<R>& records, const Order& comes_before) {
    if (!std::is_sorted(records.begin(), records.end(), comes_before)) {
        std::sort(records.begin(), records.end(), comes_before);
    }
}

} // namespace

Figures::Figures(Recorded& recorded)
    : recorded_(&recorded),
      ranks_(recorded),
      calls_(recorded),
      totals_(ranks_.names().size()),
      has_work_(recorded.calls.size()),
      works_(recorded.works.size()) {
    add_ops();
    add_calls();
    add_gpu_work();
    add_missing_work();
    if (recorded.source == ProfileSource::nsys) {
        share_spans();
    }
}

/// An operator is top-level when no other of its thread encloses it: in order of start, the longest
/// first, none before it ends at or after its end. One of no length at another's end is outside.
void Figures::add_ops() {
    const Recorded& all = *recorded_;
    put_in_order(recorded_->ops, [&all](const OpRecord& a, const OpRecord& b) {
        return a.start != b.start ? a.start < b.start : all.duration(a) > all.duration(b);
    });
    std::vector<std::int64_t> last_end(all.lanes.size(), std::numeric_limits<std::int64_t>::min());
    for (const OpRecord& op : all.ops) {
        const std::int64_t duration = all.duration(op);
        const std::int64_t end = sum_of(op.start, duration);
        RankTotals& totals = totals_[ranks_.place(op.lane).rank];
        totals.ops.add(duration);
        if (end > last_end[op.lane] || op.start == last_end[op.lane]) {
            totals.top_ops.add(duration);
            last_end[op.lane] = end;
        }
        if (all.lanes[op.lane].has_time) {
            totals.wall.include(op.start, end);
        }
    }
    recorded_->ops.clear();
}

void Figures::add_calls() {
    for (std::size_t at = 0; at < calls_.size();) {
        const CallGroup group = calls_.group_at(at);
        RankTotals& totals = totals_[ranks_.place(calls_.call(at).lane).rank];
        totals.launches += group.has_launch ? 1 : 0;
        if (group.has_graph_launch) {
            ++totals.graph_launches;
            graph_launches_.push_back(
                {.call = at, .start = group.start, .lane = calls_.call(at).lane}
            );
        }
        for (; at < group.end; ++at) {
            const Record& call = calls_.call(at);
            const std::int64_t duration = recorded_->duration(call);
            const ApiKind family = calls_.family(call);
            totals.calls.add(duration);
            totals.copy_calls += family == ApiKind::memory_copy ? 1 : 0;
            totals.fill_calls += family == ApiKind::memory_set ? 1 : 0;
            totals.sync_calls += family == ApiKind::synchronize ? 1 : 0;
            if (recorded_->lanes[call.lane].has_time) {
                totals.wall.include(call.start, sum_of(call.start, duration));
            }
        }
    }
}

/// Launches without a correlation say nothing of their kernels.
void Figures::add_missing_work() {
    for (std::size_t at = 0; at < calls_.size();) {
        const CallGroup group = calls_.group_at(at);
        RankTotals& totals = totals_[ranks_.place(calls_.call(at).lane).rank];
        if (calls_.call(at).correlation != WideValues::kNone && !has_work_[at]) {
            totals.launches_without_kernel += group.has_launch ? 1 : 0;
            totals.graphs_without_kernels += group.has_graph_launch ? 1 : 0;
        }
        at = group.end;
    }
}

/// Processes of one export share its clock and its window: all their spans are those of the file.
void Figures::share_spans() {
    RankTotals all;
    for (const RankTotals& rank : totals_) {
        all.wall.include(rank.wall.start, rank.wall.end);
        all.gpu.include(rank.gpu.start, rank.gpu.end);
        all.kernel_span.include(rank.kernel_span.start, rank.kernel_span.end);
    }
    for (RankTotals& rank : totals_) {
        rank.wall = all.wall;
        rank.gpu = all.gpu;
        rank.kernel_span = all.kernel_span;
    }
}

/// A signature does not depend on the order of its work: streams of one graph race each other.
void Figures::sign_graph(std::size_t call, std::uint32_t name) {
    if (last_graph_ >= graph_launches_.size() || graph_launches_[last_graph_].call != call) {
        const auto found = std::lower_bound(
            graph_launches_.begin(),
            graph_launches_.end(),
            call,
            [](const GraphLaunch& launch, std::size_t wanted) { return launch.call < wanted; }
        );
        last_graph_ = static_cast<std::size_t>(found - graph_launches_.begin());
    }
    graph_launches_[last_graph_].signature += recorded_->names.hash(name);
}

/// The pass over GPU work in order of time.
struct Figures::GpuPass {
    static constexpr std::int64_t kBefore = std::numeric_limits<std::int64_t>::min();

    struct Device {
        std::optional<std::uint32_t> rank; ///< absent while nothing with a time ran
        std::int64_t busy_end = kBefore;
        std::int64_t kernel_end = kBefore;
    };

    explicit GpuPass(Figures& figures)
        : to(figures),
          all(*figures.recorded_),
          devices(figures.ranks_.devices()),
          stream_end(figures.ranks_.streams(), kBefore) {}

    void add(const Record& record);
    void add_timed(const Record& record, RankTotals& totals);
    void add_kernel(const Record& record, RankTotals& totals);
    void add_untimed(EventKind kind, RankTotals& totals) const;
    [[nodiscard]] CallGroup mark_launches(const Record& record);

    Figures& to;
    const Recorded& all;
    std::vector<Device> devices;
    std::vector<std::int64_t> stream_end;
};

void Figures::add_gpu_work() {
    const Recorded& all = *recorded_;
    put_in_order(recorded_->gpu, [&all](const Record& a, const Record& b) {
        return a.start != b.start ? a.start < b.start : all.duration(a) < all.duration(b);
    });
    GpuPass pass(*this);
    for (const Record& record : all.gpu) {
        pass.add(record);
    }
    for (const GpuPass::Device& device : pass.devices) {
        if (device.rank) {
            ++totals_[*device.rank].devices;
        }
    }
}

void Figures::GpuPass::add(const Record& record) {
    const Lane& lane = all.lanes[record.lane];
    RankTotals& totals = to.totals_[to.ranks_.place(record.lane).rank];
    const CallGroup launch = mark_launches(record);
    if (launch.has_graph_launch) {
        to.sign_graph(launch.begin, all.works[record.what].name);
    }
    const bool is_kernel = lane.kind == EventKind::kernel;
    if (is_kernel && launch.empty() && record.correlation != WideValues::kNone) {
        ++totals.lost_orphans;
    }
    if (!lane.has_time) {
        add_untimed(lane.kind, totals);
        return;
    }
    const std::int64_t duration = all.duration(record);
    add_timed(record, totals);
    if (is_kernel) {
        add_kernel(record, totals);
        Tally& group = launch.empty()            ? totals.orphan
                       : launch.has_graph_launch ? totals.graph
                                                 : totals.eager;
        group.add(duration);
        totals.before_launch += !launch.empty() && record.start < launch.start ? 1 : 0;
    }
}

/// All groups that may have launched a record have work now; the first of them is its launch.
CallGroup Figures::GpuPass::mark_launches(const Record& record) {
    CallGroup first;
    if (record.correlation == WideValues::kNone) {
        return first;
    }
    for (const std::uint32_t process : to.ranks_.launchers(record.lane)) {
        const CallGroup group = to.calls_.find(process, record.correlation);
        if (!group.empty()) {
            to.has_work_[group.begin] = true;
            first = first.empty() ? group : first;
        }
    }
    return first;
}

void Figures::GpuPass::add_untimed(EventKind kind, RankTotals& totals) const {
    switch (kind) {
    case EventKind::kernel: ++totals.untimed_kernels; break;
    case EventKind::graph_replay: ++totals.untimed_replays; break;
    case EventKind::memory_copy:
    case EventKind::memory_set: ++totals.untimed_copies; break;
    case EventKind::api:
    case EventKind::cpu_op:
    case EventKind::annotation: break;
    }
}

void Figures::GpuPass::add_timed(const Record& record, RankTotals& totals) {
    const std::int64_t duration = all.duration(record);
    const std::int64_t end = sum_of(record.start, duration);
    totals.wall.include(record.start, end);
    totals.gpu.include(record.start, end);
    const LanePlace& place = to.ranks_.place(record.lane);
    Device& device = devices[place.device];
    device.rank = place.rank;
    if (end > device.busy_end) {
        totals.busy += end - std::max(record.start, device.busy_end);
        device.busy_end = end;
    }
    switch (all.lanes[record.lane].kind) {
    case EventKind::kernel: totals.kernels.add(duration); break;
    case EventKind::graph_replay: totals.replays.add(duration); break;
    case EventKind::memory_copy: totals.copies.add(duration); break;
    case EventKind::memory_set: totals.fills.add(duration); break;
    case EventKind::api:
    case EventKind::cpu_op:
    case EventKind::annotation: break;
    }
    WorkTimes& times = to.works_[record.what];
    times.timed.add(duration);
    times.shortest = std::min(times.shortest, duration);
    times.longest = std::max(times.longest, duration);
}

void Figures::GpuPass::add_kernel(const Record& record, RankTotals& totals) {
    const LanePlace& place = to.ranks_.place(record.lane);
    const std::int64_t end = sum_of(record.start, all.duration(record));
    totals.kernel_span.include(record.start, end);
    Device& device = devices[place.device];
    if (end > device.kernel_end) {
        totals.kernel_union += end - std::max(record.start, device.kernel_end);
        device.kernel_end = end;
    }
    std::int64_t& last_end = stream_end[place.stream];
    if (record.start < last_end) {
        totals.overlaps.add(std::min(end, last_end) - record.start);
    }
    last_end = std::max(last_end, end);
}

CallGroup Figures::launch_of(const Record& work) {
    CallGroup launch;
    if (work.correlation == WideValues::kNone) {
        return launch;
    }
    for (const std::uint32_t process : ranks_.launchers(work.lane)) {
        launch = calls_.find(process, work.correlation);
        if (!launch.empty()) {
            break;
        }
    }
    return launch;
}

} // namespace kvprof::import
