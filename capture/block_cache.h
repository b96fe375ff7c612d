#pragma once

#include "capture/model/units.h"

#include <cstdint>
#include <optional>

namespace kvprof {

/// Places buffers in one block of memory that is held already, as a caching allocator does with
/// memory that was freed to it. Offsets only: who owns the block is not its concern.
///
/// First fit, in the order of requests. Nothing is given back while a step lives, so what is free
/// is always one stretch at the block's end, and the first place that fits is its start.
class BlockCache {
  public:
    /// Every offset is a multiple of it, as addresses of caching allocators are.
    static constexpr std::int64_t kAlignment = 512;

    explicit BlockCache(Bytes block)
        : block_(block) {}

    /// Offset of `size` bytes in the block; absent when they do not fit in what is left, which a
    /// later, smaller request may still take.
    [[nodiscard]] std::optional<std::int64_t> place(Bytes size);

    /// Of the block, from which no request was served; gaps of the alignment count as taken.
    [[nodiscard]] Bytes left() const { return block_ - taken_; }

  private:
    Bytes block_;
    Bytes taken_;
};

} // namespace kvprof
