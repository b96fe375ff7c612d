#pragma once

#include "kernels/hd.h"

#include <cstdint>

/// When Split::balanced leaves its row grid. A row grid takes as long as its longest lane, whatever
/// the others have; equal shares of all items cost a search for each chunk and a set-up.
namespace kvprof::kernels {

/// Items that a row grid moves while the other split sets up: 1.2 us on an H200.
inline constexpr float kSplitSetupItems = 600'000.0F;
/// Time of an item of equal shares, in that of a row grid.
inline constexpr float kSplitItemCost = 1.28F;

/// Part of the shorter lane by which two lanes may differ and count as alike.
inline constexpr int kApartShare = 8;
static_assert((1 + 1.0F / kApartShare) * (1 + 1.0F / kApartShare) < kSplitItemCost);

/// Items of a lane up to which no difference between lanes is worth a look.
[[nodiscard]] constexpr int alike_up_to(std::int64_t batch) {
    return static_cast<int>(kSplitSetupItems / 2) / static_cast<int>(batch);
}

/// Whether two lanes differ so that all are added up. Each block asks it of its own lane and every
/// other one. All have to come to the same split, so this is narrower than is_skewed by more than
/// its square: where one block finds no lane apart from its own, the batch is not skewed.
[[nodiscard]] KVPROF_HD constexpr bool is_apart(int a, int b, int alike) {
    const int longer = a > b ? a : b;
    const int shorter = a > b ? b : a;
    return longer - shorter > shorter / kApartShare && longer > alike;
}

/// The batch is uneven enough for equal shares. Every block decides it for itself, from the same
/// values. @param total items of all lanes, in whole chunks
[[nodiscard]] KVPROF_HD constexpr bool is_skewed(float longest, float batch, float total) {
    return longest * batch > kSplitItemCost * total + kSplitSetupItems;
}

/// Lanes that a block can hold in shared memory; a larger batch stays in rows.
inline constexpr std::int64_t kMostSharedLanes = 1024;

/// Output elements that a thread stores at once.
inline constexpr int kVector = 4;

/// Vectors that `count` elements touch when the first is `lead` elements past a boundary.
[[nodiscard]] KVPROF_HD constexpr int vectors_of(int count, int lead) {
    const auto end = static_cast<unsigned>(count + lead + kVector - 1);
    return count <= 0 ? 0 : static_cast<int>(end / kVector);
}

/// Chunks of `chunk` items each in a lane of equal shares.
[[nodiscard]] KVPROF_HD constexpr int chunks_of(int items, unsigned chunk) {
    return static_cast<int>((static_cast<unsigned>(items) + chunk - 1) / chunk);
}

} // namespace kvprof::kernels
