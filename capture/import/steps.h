#pragma once

#include "capture/import/figures.h"
#include "capture/import/kernel_table.h"
#include "capture/import/step_ranges.h"
#include "capture/model/profile.h"
#include "capture/model/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kvprof::import {

/// The steps of a file with what was launched in them. Work belongs to the step in which it was
/// launched, whenever it ran.
class Steps {
  public:
    Steps(const Recorded& recorded, Figures& figures);

    [[nodiscard]] const StepRanges& found() const noexcept { return found_; }

    /// In time order, without the skipped ones.
    [[nodiscard]] const std::vector<ProfileStep>& of_rank(std::size_t rank) const {
        return shown_.at(rank);
    }

    /// How many steps of a rank were skipped.
    [[nodiscard]] std::int64_t skipped(std::size_t rank) const { return skipped_.at(rank); }

    /// The GPU work of the first `keep_events` steps of every rank, in order of start.
    [[nodiscard]] std::vector<KernelEvent> kept_events(const KernelTable& kernels);

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// Where a range is shown; `step` is kNone for a skipped one.
    struct Place {
        std::uint32_t rank = 0;
        std::size_t step = kNone;
    };

    void place_ranges();
    void add_launches();
    void add_kernels();
    [[nodiscard]] std::size_t range_of(std::uint32_t process, std::int64_t time);
    [[nodiscard]] std::size_t range_of(const Record& work);
    [[nodiscard]] ProfileStep* step_of(std::size_t range);

    const Recorded* recorded_;
    Figures* figures_;
    StepRanges found_; ///< by process and start
    std::vector<Place> places_;
    std::vector<std::vector<ProfileStep>> shown_;
    std::vector<std::int64_t> skipped_; ///< by rank
    std::size_t last_ = 0;              ///< that range_of found
};

} // namespace kvprof::import
