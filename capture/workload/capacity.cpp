#include "capture/workload/capacity.h"

#include "kernels/id_math.h"

#include <algorithm>
#include <cstdlib>

namespace kvprof::workload {

std::int64_t joint_pages(std::int64_t gap_bytes, const JointSide& full, const JointSide& swa) {
    const JointSide& extends_first = full.hole_pages <= swa.hole_pages ? full : swa;
    const std::int64_t paired = std::min(full.hole_pages, swa.hole_pages);
    const std::int64_t one_sided =
        std::min(std::abs(full.hole_pages - swa.hole_pages), gap_bytes / extends_first.page_bytes);
    const std::int64_t two_sided =
        (gap_bytes - one_sided * extends_first.page_bytes) / (full.page_bytes + swa.page_bytes);
    return std::min(
        {paired + one_sided + two_sided,
         full.hole_pages + full.index_room_pages,
         swa.hole_pages + swa.index_room_pages}
    );
}

PageRoom room_between(
    std::int64_t low_bytes, std::int64_t high_bytes, std::int64_t page_bytes, const PageRoom& grid
) {
    return {
        .low = std::max(grid.low, kernels::pages_of(low_bytes, page_bytes)),
        .high = std::min(grid.high, high_bytes / page_bytes)};
}

bool joint_fits(const JointFloat& chain, std::int64_t pages) {
    if (pages <= 0) {
        return pages == 0;
    }
    const std::int64_t full = std::max<std::int64_t>(pages - chain.full.hole_pages, 0);
    const std::int64_t swa = std::max<std::int64_t>(pages - chain.swa.hole_pages, 0);
    const bool is_transparent = chain.swa.low == chain.swa.high;
    const std::int64_t frontier = chain.full_frontier - full * chain.full.page_bytes;
    const std::int64_t neighbour =
        is_transparent ? chain.up_frontier : chain.swa.high * chain.swa_page_bytes;
    if (full > chain.full.index_room_pages || frontier < neighbour) {
        return false;
    }
    const PageRoom room =
        room_between(chain.up_frontier, frontier, chain.swa_page_bytes, chain.swa_grid);
    if (is_transparent) {
        return swa <= room.high - room.low;
    }
    return swa <= std::max(chain.swa.low - room.low, room.high - chain.swa.high);
}

std::int64_t joint_pages(const JointFloat& chain) {
    std::int64_t fits = 0;
    std::int64_t too_many = chain.full.hole_pages + chain.full.index_room_pages + 1;
    while (too_many - fits > 1) {
        const std::int64_t middle = fits + (too_many - fits) / 2;
        (joint_fits(chain, middle) ? fits : too_many) = middle;
    }
    return fits;
}

} // namespace kvprof::workload
