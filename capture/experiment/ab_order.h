#pragma once

#include "capture/model/ab_design.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::experiment {

/// One run of an A/B experiment before it is measured.
struct AbSlot {
    std::size_t case_index = 0;
    AbPlace place;

    friend bool operator==(const AbSlot&, const AbSlot&) = default;
};

/// Runs in blocks A B B A or B A A B, so that a drift that is linear in time weighs equally on both
/// sides. The first letter of each block is drawn by SplitMix64(seed); `is_mirrored` swaps the
/// letters of every block, for a second measurement that repeats nothing of the first. With several
/// cases each has its block before the next blocks begin. One run a side is a block of two.
/// @throws UsageError when `runs` is neither 1 nor even, or below 1.
[[nodiscard]] std::vector<AbSlot>
ab_order(std::size_t cases, std::int64_t runs, std::uint64_t seed, bool is_mirrored = false);

/// "ABBA BAAB": the order of the first case.
[[nodiscard]] std::string letters_of(const std::vector<AbSlot>& order);

} // namespace kvprof::experiment
