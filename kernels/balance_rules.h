#pragma once

#include "kernels/hd.h"

#include <cstdint>

/// When Split::balanced leaves its row grid. A row grid takes as long as its longest lane, whatever
/// the others have; equal shares of all items cost a search for each vector and a set-up.
namespace kvprof::kernels {

/// Items that a row grid moves while the other split sets up: 1.2 us on an H200.
inline constexpr float kSplitSetupItems = 600'000.0F;
/// Time of an item of equal shares, in that of a row grid.
inline constexpr float kSplitItemCost = 1.125F;
/// Lengths within this factor of the first lane's need no further look.
inline constexpr float kEvenFactor = 1.25F;

[[nodiscard]] KVPROF_HD constexpr float larger_of(float a, float b) {
    return a > b ? a : b;
}

/// Whether a lane of `length` beside a first one of `first` gives reason to add all lanes up.
[[nodiscard]] KVPROF_HD constexpr bool is_apart(float length, float first, float batch) {
    const float longer = larger_of(length, first);
    const float shorter = length < first ? length : first;
    return longer > kEvenFactor * shorter && longer * batch > kSplitSetupItems;
}

/// The batch is uneven enough for equal shares. Every block decides it for itself, from the same
/// values. @param total items of all lanes, in whole vectors
[[nodiscard]] KVPROF_HD constexpr bool is_skewed(float longest, float batch, float total) {
    return longest * batch > kSplitItemCost * total + kSplitSetupItems;
}

/// Lanes that a block can hold in shared memory; a larger batch stays in rows.
inline constexpr std::int64_t kMostSharedLanes = 1024;

/// Output elements that a thread stores at once.
inline constexpr int kVector = 4;

/// Vectors that `count` elements touch when the first is `lead` elements past a boundary.
[[nodiscard]] KVPROF_HD constexpr int vectors_of(int count, int lead) {
    return count <= 0 ? 0 : (count + lead + kVector - 1) / kVector;
}

} // namespace kvprof::kernels
