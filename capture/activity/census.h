#pragma once

#include "capture/activity/attribution.h"
#include "capture/model/device_state.h"
#include "capture/model/pass.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::activity {

/// Checks a node-level recording against what must have run: each replay has the nodes of its
/// executable and the kernels of the other replays, each launch outside graphs has a record, each
/// step has one, and no record is lost, untimed or of unknown origin.
class Census {
  public:
    /// Both must outlive the census.
    Census(const Recording& recording, const Attribution& attribution, std::int64_t steps);

    void add(const Record& record, const Attributed& attributed);

    /// Counts so far; the caller names the pass.
    [[nodiscard]] PassResult evidence() const;
    /// Once every record was added: why the figures must not be used.
    [[nodiscard]] std::vector<Condition> conditions() const;

  private:
    struct Replay {
        std::uint32_t step = 0;
        std::uint32_t executable = 0; ///< 0: nothing recorded yet
        bool has_several = false;     ///< executables
        std::int64_t kernels = 0;
        std::int64_t memory_copies = 0;
        std::int64_t memory_sets = 0;
        std::uint64_t work = 0; ///< hash of the multiset of (node, kernel name)
    };

    void add_node(Replay& replay, const Record& record);
    [[nodiscard]] const Executable* executable_of(const Replay& replay) const;
    [[nodiscard]] bool has_all_nodes(const Replay& replay) const;
    [[nodiscard]] std::string describe(const Replay& replay) const;

    /// Each says what is wrong, if it is.
    [[nodiscard]] std::optional<std::string> wrong_replays() const;
    [[nodiscard]] std::optional<std::string> differing_replays() const;
    [[nodiscard]] std::optional<std::string> silent_launches() const;
    [[nodiscard]] std::optional<std::string> empty_steps() const;
    [[nodiscard]] std::optional<std::string> repeated_correlation() const;

    const Recording& recording_;
    const Attribution& attribution_;
    std::vector<std::uint64_t> hash_of_shape_;
    std::vector<Replay> replays_;
    std::vector<std::uint32_t> replay_of_launch_; ///< kNoIndex: not a replay of a recorded step
    std::vector<std::uint8_t> has_record_;        ///< by launch
    std::vector<std::uint8_t> is_seen_;           ///< by step
    PassResult evidence_;
    Record first_orphan_;
    Record first_unknown_;
};

/// Loss and records that could not be read or timed: what any level of tracing must not have.
void check_loss(
    const Recording& recording, const PassResult& evidence, std::vector<Condition>& conditions
);

/// Whether a record or a span has both times (0 is missing), in order.
template<typename Timed>
[[nodiscard]] bool is_timed(const Timed& what) {
    return what.start != 0 && what.start <= what.end;
}

} // namespace kvprof::activity
