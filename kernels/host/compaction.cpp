#include "kernels/host/compaction.h"

#include "kernels/index_access.h"
#include "kernels/read_rules.h"

#include <cstring>

namespace kvprof::kernels::host {

void run(const CompactMoveCall& call) {
    const auto bytes = static_cast<std::size_t>(call.page_bytes);
    for (std::int64_t i = 0; i < call.count; ++i) {
        const auto from = call.from[i];
        const auto to = call.to[i];
        if (from < 0 || to < 0 || call.p2v[to] != -1 || !has_row(call.p2v[from], call.v2p.rows)) {
            continue;
        }
        const auto vpage = call.p2v[from];
        std::memcpy(
            call.buffer + to * call.page_bytes, call.buffer + from * call.page_bytes, bytes
        );
        store_index({call.v2p.data, call.v2p.type}, vpage, to);
        call.p2v[to] = vpage;
        call.p2v[from] = -1;
    }
}

void run(const EnvelopeCopyCall& call) {
    const auto bytes = static_cast<std::size_t>(call.page_bytes);
    for (std::int64_t i = 0; i < call.count; ++i) {
        if (call.pages[i] < 0) {
            continue;
        }
        std::uint8_t* page = call.buffer + call.pages[i] * call.page_bytes;
        std::uint8_t* staged = call.staging + i * call.page_bytes;
        std::memcpy(call.is_gather ? staged : page, call.is_gather ? page : staged, bytes);
    }
}

} // namespace kvprof::kernels::host
