#include "capture/workload/capacity.h"

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

} // namespace kvprof::workload
