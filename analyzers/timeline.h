#pragma once

#include "capture/model/run.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// When something ran.
struct TimeSpan {
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds duration{0};

    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

[[nodiscard]] std::chrono::nanoseconds end_of(const TimeSpan& span);
[[nodiscard]] TimeSpan span_of(const KernelEvent& event);

/// Makes the span one that holds the other, too.
void widen(TimeSpan& span, const TimeSpan& other);

/// Indexes of spans that do not overlap, by start.
using Lane = std::vector<std::size_t>;

/// Spreads the spans over as few lanes as hold them without overlap; the first lane takes what
/// starts when it is free.
[[nodiscard]] std::vector<Lane> lanes_of(const std::vector<TimeSpan>& spans);

/// Where a record ran, as recorders number it.
struct EventPlace {
    std::int64_t rank = 0;
    std::int64_t device = 0; ///< of the rank
    std::int64_t stream = 0;

    friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};

[[nodiscard]] EventPlace place_of(const KernelEvent& event);

/// What the places of a run's events are called.
class PlaceNames {
  public:
    /// @param run with its events
    explicit PlaceNames(const Run& run);

    /// "rank TP00", by its place where the rank has no name; empty for a run of one rank.
    [[nodiscard]] std::string rank(std::int64_t rank) const;
    /// "stream 7"; "rank TP00, stream 7" of several ranks; "device 1, stream 7" where a rank worked
    /// on several devices.
    [[nodiscard]] std::string stream(const EventPlace& place) const;

  private:
    std::vector<std::string> ranks_;      ///< none of a run of one rank
    std::set<std::int64_t> spread_ranks_; ///< that worked on several devices
};

} // namespace kvprof::analyzers
