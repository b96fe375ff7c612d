#include "kernels/host/kv_rows.h"

#include "kernels/content.h"
#include "kernels/kv_layout.h"

#include <cstring>

namespace kvprof::kernels::host {
namespace {

void write_plane(std::uint8_t* row, std::uint64_t key, std::int64_t plane, std::int64_t elements) {
    for (std::int64_t element = 0; element < elements; ++element) {
        const auto bits = content_bf16(key, plane, element);
        std::memcpy(row + element * 2, &bits, sizeof bits);
    }
}

void write_row(const KvLayer& layer, const HeadShape& heads, std::int64_t id, std::uint64_t key) {
    const auto offset = row_offset(layer, id);
    write_plane(layer.k + offset, key, layer.plane, k_elements(heads));
    write_plane(layer.v + offset, key, layer.plane + 1, v_elements(layer, heads));
}

} // namespace

void run(const KvWriteCall& call) {
    for (std::int64_t lane = 0; lane < call.bucket; ++lane) {
        const auto key = content_key(call.seed, call.owners[lane], call.lens[lane] - 1);
        write_row(call.layer, call.heads, call.write_loc[lane], key);
    }
}

void run(const KvFillCall& call) {
    for (std::int64_t lane = 0; lane < call.lanes.batch; ++lane) {
        const auto positions = fill_positions(call, lane);
        for (std::int64_t k = 0; k < positions; ++k) {
            const auto position = fill_position(call, k);
            const auto id = fill_row(call, lane, position);
            if (id >= 0) {
                write_row(call.layer, call.heads, id, fill_key(call, lane, position));
            }
        }
    }
}

} // namespace kvprof::kernels::host
