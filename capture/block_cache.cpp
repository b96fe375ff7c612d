#include "capture/block_cache.h"

#include <algorithm>

namespace kvprof {

std::optional<std::int64_t> BlockCache::place(Bytes size) {
    if (size > left()) {
        return std::nullopt;
    }
    const std::int64_t offset = taken_.count;
    const std::int64_t end = (offset + size.count + kAlignment - 1) / kAlignment * kAlignment;
    taken_.count = std::min(end, block_.count);
    return offset;
}

} // namespace kvprof
