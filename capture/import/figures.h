#pragma once

#include "capture/import/call_index.h"
#include "capture/import/ranks.h"
#include "capture/import/records.h"
#include "capture/model/profile.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace kvprof::import {

/// How many, and how long together (ns).
struct Tally {
    std::int64_t count = 0;
    std::int64_t sum = 0;

    void add(std::int64_t duration) {
        ++count;
        sum = sum_of(sum, duration);
    }
};

/// From the first start to the last end.
struct Span {
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();

    void include(std::int64_t from, std::int64_t to) {
        start = from < start ? from : start;
        end = to > end ? to : end;
    }

    [[nodiscard]] bool empty() const { return end < start; }

    [[nodiscard]] std::int64_t length() const { return empty() ? 0 : sum_of(end, -start); }
};

/// What one rank did. Records without a time are in the "untimed" counts alone.
struct RankTotals {
    Span wall;
    Span gpu;
    Span kernel_span;
    Tally kernels;
    Tally copies;
    Tally fills;
    Tally replays;
    Tally eager; ///< kernels of launches that are no graph's
    Tally graph;
    Tally orphan; ///< kernels without a call
    std::int64_t kernel_union = 0;
    std::int64_t busy = 0;
    std::int64_t devices = 0;
    std::int64_t untimed_kernels = 0;
    std::int64_t untimed_copies = 0; ///< and fills
    std::int64_t untimed_replays = 0;
    std::int64_t lost_orphans = 0; ///< that name a call which the file does not have
    std::int64_t before_launch = 0;
    Tally overlaps; ///< kernels that start while one of their stream runs
    Tally calls;
    std::int64_t launches = 0; ///< nested calls of one launch count once
    std::int64_t graph_launches = 0;
    std::int64_t copy_calls = 0;
    std::int64_t fill_calls = 0;
    std::int64_t sync_calls = 0;
    std::int64_t launches_without_kernel = 0;
    std::int64_t graphs_without_kernels = 0;
    Tally ops;
    Tally top_ops;
};

/// One call that replays a graph.
struct GraphLaunch {
    std::size_t call = 0; ///< where its group begins in the call index
    std::int64_t start = 0;
    std::uint32_t lane = 0;
    std::uint64_t signature = 0; ///< equal where the same work ran
};

/// What of one Work ran, in all ranks.
struct WorkTimes {
    Tally timed;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t longest = 0;
};

/// The figures of a file, made from its records. Puts the records in order and drops the operators.
class Figures {
  public:
    explicit Figures(Recorded& recorded);

    [[nodiscard]] const Ranks& ranks() const noexcept { return ranks_; }

    [[nodiscard]] CallIndex& calls() noexcept { return calls_; }

    /// The calls that launched a record of GPU work, of the first process that may have; empty
    /// where the file has none.
    [[nodiscard]] CallGroup launch_of(const Record& work);

    [[nodiscard]] const std::vector<RankTotals>& totals() const noexcept { return totals_; }

    /// In the order of the call index.
    [[nodiscard]] const std::vector<GraphLaunch>& graph_launches() const noexcept {
        return graph_launches_;
    }

    /// By id of Recorded::works.
    [[nodiscard]] const std::vector<WorkTimes>& works() const noexcept { return works_; }

    [[nodiscard]] std::vector<ProfileFigure> of_rank(std::size_t rank) const;

  private:
    struct GpuPass;

    void add_ops();
    void add_calls();
    void add_gpu_work();
    void add_missing_work();
    void share_spans();
    void sign_graph(std::size_t call, std::uint32_t name);

    Recorded* recorded_;
    Ranks ranks_;
    CallIndex calls_;
    std::vector<RankTotals> totals_;
    std::vector<GraphLaunch> graph_launches_;
    std::size_t last_graph_ = 0; ///< that sign_graph found
    std::vector<bool> has_work_; ///< by call: the first of a group whose work is in the file
    std::vector<WorkTimes> works_;
};

} // namespace kvprof::import
