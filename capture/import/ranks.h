#pragma once

#include "capture/import/records.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace kvprof::import {

/// "2" before "10", "TP2" before "TP10", and "TP00" before "TP01".
[[nodiscard]] bool rank_comes_before(const std::string& a, const std::string& b);

/// Where the records of a lane belong.
struct LanePlace {
    std::uint32_t rank = 0;
    std::uint32_t device = 0; ///< of all devices: (rank, device)
    std::uint32_t stream = 0; ///< of all streams: (process, device, stream)
};

/// The ranks of a file, by name, and who belongs to them.
class Ranks {
  public:
    explicit Ranks(const Recorded& recorded);

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    [[nodiscard]] const LanePlace& place(std::uint32_t lane) const { return places_[lane]; }

    [[nodiscard]] std::uint32_t devices() const noexcept { return devices_; }

    [[nodiscard]] std::uint32_t streams() const noexcept { return streams_; }

    /// Absent for a process without records.
    [[nodiscard]] const std::uint32_t* rank_of(std::uint32_t process) const;

    /// Processes whose calls may have launched work of a lane. Kineto gives GPU work to its device:
    /// any process of the rank may have launched it. Nsight Systems names the process.
    [[nodiscard]] const std::vector<std::uint32_t>& launchers(std::uint32_t lane) const {
        return launchers_[launchers_of_[lane]];
    }

  private:
    void find_ranks(const Recorded& recorded);
    void find_places(const Recorded& recorded);
    void find_launchers(const Recorded& recorded);

    std::vector<std::string> names_;
    std::unordered_map<std::uint32_t, std::uint32_t> rank_of_; ///< by process
    std::vector<LanePlace> places_;                            ///< by lane
    std::vector<std::vector<std::uint32_t>> launchers_;
    std::vector<std::uint32_t> launchers_of_; ///< by lane: a place in launchers_
    std::uint32_t devices_ = 0;
    std::uint32_t streams_ = 0;
};

} // namespace kvprof::import
