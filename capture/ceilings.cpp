#include "capture/ceilings.h"

#include <algorithm>
#include <array>

namespace kvprof {

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

bool leaves_room(std::int64_t copied, Bytes free) {
    return 2 * copied <= free.count / 4 * 3;
}

} // namespace

std::vector<CopyCeiling> copies_to_measure(Bytes free, Bytes l2) {
    constexpr std::array kOfL2{2 * kMiB, 8 * kMiB, 16 * kMiB};
    constexpr std::array kOfMemory{256 * kMiB, 1024 * kMiB};
    std::vector<CopyCeiling> copies;
    const auto add = [&](CeilingKind kind, std::int64_t copied) {
        copies.push_back({.kind = kind, .copied = Bytes{copied}, .bytes_per_s = 0.0});
    };
    for (const std::int64_t copied : kOfL2) {
        if (2 * copied <= l2.count / 3 * 2 && leaves_room(copied, free)) {
            add(CeilingKind::l2, copied);
        }
    }
    for (const std::int64_t copied : kOfMemory) {
        if (leaves_room(copied, free)) {
            add(CeilingKind::hbm, copied);
        }
    }
    std::int64_t smaller = kOfMemory.front();
    if (leaves_room(smaller, free)) {
        return copies;
    }
    while (smaller > l2.count && !leaves_room(smaller, free)) {
        smaller /= 2;
    }
    if (smaller > l2.count) { // both halves of a copy are over twice what L2 could keep
        add(CeilingKind::hbm, smaller);
    }
    return copies;
}

} // namespace kvprof
