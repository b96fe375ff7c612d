#pragma once

#include "kernels/calls.h"
#include "tests/support/index_buffer.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// A pool of page envelopes of random bytes, half of the pages bound, and a list of moves of bound
/// pages to free ones. All memory is the host's; copies stand alone.
struct MoveCase {
    std::int64_t page_bytes = 0;
    std::vector<std::uint8_t> pool;
    IndexBuffer v2p;
    std::vector<std::int64_t> p2v;
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    std::vector<std::uint8_t> staging; ///< [moves, page_bytes]

    MoveCase(std::int64_t pages, std::int64_t bytes, std::int64_t moves, kernels::IndexType type);

    [[nodiscard]] kernels::CompactMoveCall move();
    /// The moves of the other way.
    [[nodiscard]] kernels::CompactMoveCall move_back();
    [[nodiscard]] kernels::EnvelopeCopyCall gather();
    [[nodiscard]] kernels::EnvelopeCopyCall scatter();

    /// Bytes of the page that a virtual page has.
    [[nodiscard]] std::vector<std::uint8_t> contents(std::int64_t vpage) const;
};

} // namespace kvprof::test
