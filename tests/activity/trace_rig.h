#pragma once

#include "capture/activity/join.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::activity::test {

[[nodiscard]] Tag op_tag(OpKind op, Placement placement, std::int32_t ordinal = 0);

inline const Tag kReplayTag{.role = Role::replay};

[[nodiscard]] constexpr std::uint64_t node_id(std::uint64_t graph, std::uint64_t index) {
    return (graph << 32U) | index;
}

/// Writes a recording by hand. Members may be changed between calls.
struct TraceRig {
    Recording recording; ///< without its records
    std::vector<Record> records;
    StepsRun how;

    std::uint32_t shape(const Shape& shape);
    std::uint32_t kernel(const std::string& name, Dim3 grid = {1, 1, 1});
    void executable(const Executable& counts, const std::vector<Tag>& tags);
    void launch(std::uint32_t correlation, const Tag& tag, std::int64_t step);
    void replay(std::uint32_t correlation, std::int64_t step);
    /// A kernel that was launched outside graphs, with its launch.
    void eager(Record record, const Tag& tag, std::int64_t step);

    [[nodiscard]] Joined join() const;
};

/// Two steps of one batch: an eager page table (100 ns), then a replay (graph executable 7) of a
/// write of 50 ns, a copy of 20 ns and attention of 200 ns. 10 ns lie between records, 40 ns
/// between steps; a step spans 400 ns.
[[nodiscard]] TraceRig two_steps();

} // namespace kvprof::activity::test
