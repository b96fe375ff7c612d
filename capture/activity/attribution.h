#pragma once

#include "capture/activity/join.h"
#include "capture/activity/recording.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace kvprof::activity {

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// An op in one placement, packed: op * 2 + placement.
using OpSlot = std::uint16_t;

inline constexpr std::size_t kOpSlots = EnumNames<OpKind>::values.size() * 2;

[[nodiscard]] constexpr OpSlot op_slot(OpKind op, Placement placement) {
    return static_cast<OpSlot>(static_cast<unsigned>(op) * 2 + static_cast<unsigned>(placement));
}

[[nodiscard]] constexpr OpKind op_of(OpSlot slot) {
    return static_cast<OpKind>(slot / 2);
}

[[nodiscard]] constexpr Placement placement_of(OpSlot slot) {
    return static_cast<Placement>(slot % 2);
}

/// How a record found its op, or why it has none.
enum class Origin : std::uint8_t {
    node,        ///< of an op, by its graph node
    launch,      ///< of an op, by the call that launched it
    unknown_op,  ///< of a step, of no known op
    outside,     ///< of no step's op: set-up, restore, another step than the recorded ones
    unknown_call ///< of no known launch
};

struct Attributed {
    Origin origin = Origin::unknown_call;
    OpSlot op = 0;                   ///< of Origin::node and launch
    std::uint32_t launch = kNoIndex; ///< index into Attribution::launches()
    std::uint32_t step = kNoIndex;   ///< of the launch, from 0; kNoIndex outside the recorded steps
};

/// Answers, for each record, which launch, step and op it belongs to. Lookups are array accesses
/// as long as neighbouring records share a launch or come in the order of launches.
class Attribution {
  public:
    Attribution(const Recording& recording, const StepsRun& how);

    /// Not const: remembers where the last answers were found.
    [[nodiscard]] Attributed of(const Record& record);
    /// Tag of a record whose origin is a node or a launch.
    [[nodiscard]] Tag tag_of(const Record& record, const Attributed& attributed);

    /// Sorted by correlation.
    [[nodiscard]] const std::vector<Launch>& launches() const noexcept { return launches_; }

    /// Recorded step of a launch by an op or of a replay, from 0; kNoIndex of any other launch.
    [[nodiscard]] std::uint32_t step_of(std::size_t launch) const noexcept {
        return step_of_[launch];
    }

    [[nodiscard]] bool is_replay(std::size_t launch) const noexcept {
        return step_of_[launch] != kNoIndex && launches_[launch].kind == ApiKind::graph_launch;
    }

    /// Index into launches(), or kNoIndex.
    [[nodiscard]] std::uint32_t find_launch(std::uint32_t correlation);

  private:
    [[nodiscard]] const Tag* find_tag(std::uint64_t node);

    const std::vector<std::vector<Tag>>& node_tags_; ///< of the recording, which must live on
    std::vector<Launch> launches_;
    std::vector<std::uint32_t> step_of_;
    std::unordered_map<std::uint32_t, std::uint32_t> index_of_executable_;
    std::uint32_t last_launch_ = kNoIndex;
    std::uint32_t last_executable_ = 0; ///< 0 is no executable's id
    std::uint32_t last_executable_index_ = kNoIndex;
};

} // namespace kvprof::activity
