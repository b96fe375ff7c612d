#pragma once

#include "capture/import/records.h"
#include "capture/model/trace.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kvprof::import {

/// Calls of one correlation in one process: a runtime call and the driver calls under it. Calls
/// without a correlation stand alone.
struct CallGroup {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int64_t start = 0; ///< of the first call
    bool has_launch = false;
    bool has_graph_launch = false;

    [[nodiscard]] bool empty() const noexcept { return begin == end; }
};

/// The calls of a file, put in order of process and correlation, which makes them their own index.
class CallIndex {
  public:
    explicit CallIndex(Recorded& recorded);

    [[nodiscard]] std::size_t size() const noexcept { return recorded_->calls.size(); }

    [[nodiscard]] const Record& call(std::size_t at) const { return recorded_->calls[at]; }

    [[nodiscard]] std::uint32_t process(std::size_t at) const {
        return recorded_->lanes[call(at).lane].process;
    }

    [[nodiscard]] ApiKind family(const Record& call) const { return families_[call.what]; }

    /// The group that begins at a call.
    [[nodiscard]] CallGroup group_at(std::size_t begin) const;

    /// Empty where the process has no such call. Cheap for keys near the last one.
    [[nodiscard]] CallGroup find(std::uint32_t process, std::uint32_t correlation);

  private:
    [[nodiscard]] std::uint64_t key(std::size_t at) const {
        return (std::uint64_t{process(at)} << 32U) | call(at).correlation;
    }

    const Recorded* recorded_;
    std::vector<ApiKind> families_; ///< by name
    std::size_t last_ = 0;          ///< where find() ended
    /// Groups of many calls that find() met, by their begin: a file may give all calls one
    /// correlation, and each of its records asks for the group.
    std::unordered_map<std::size_t, CallGroup> large_;
};

} // namespace kvprof::import
