#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/units.h"

#include <array>
#include <cstdint>
#include <utility>

namespace kvprof::workload {

/// What a sub-pool holds: full-attention KV, sliding-window KV, or recurrent state per request.
enum class StateKind : std::uint8_t { full, swa, state };
/// How an envelope is cut into rows: K and V blocks per layer, one latent block per layer, none.
enum class RowLayout : std::uint8_t { mha, mla, state };
/// The end of the buffer at which a sub-pool is anchored: byte 0 (up) or the top (down). A floating
/// one lies between two others, grows on either side and can be slid.
enum class Growth : std::uint8_t { up, down, floating };

/// One kind of state in the unified buffer.
struct SubPool {
    StateKind kind = StateKind::full;
    RowLayout layout = RowLayout::mha;
    Growth growth = Growth::down;
    std::int64_t entry_bytes = 0; ///< one slot over all layers of this kind
    std::int64_t page_size = 1;   ///< slots per page; 1 for state
    std::int64_t mult = 1; ///< equal row blocks per page: 2 * layers, layers (MLA), 1 (state)
    std::int64_t request_slots = 1; ///< slots without which not even one request can run
    bool is_synthetic = false;      ///< stands in for a second END that the model does not have

    friend bool operator==(const SubPool&, const SubPool&) = default;
};

/// Only token pools have pages and per-layer views that run past the end of the buffer.
[[nodiscard]] constexpr bool is_paged(const SubPool& pool) {
    return pool.layout != RowLayout::state;
}

/// Bytes of one page over all layers: its envelope.
[[nodiscard]] constexpr std::int64_t page_bytes(const SubPool& pool) {
    return pool.entry_bytes * pool.page_size;
}

/// Bytes of the row that one kernel-facing id addresses in a layer's view.
[[nodiscard]] constexpr std::int64_t row_bytes(const SubPool& pool) {
    return pool.entry_bytes / pool.mult;
}

/// Byte at which the view of row block `block` starts: K of layer l is block 2l, V is 2l + 1, an
/// MLA latent is block l.
[[nodiscard]] constexpr std::int64_t view_origin_bytes(const SubPool& pool, std::int64_t block) {
    return block * pool.page_size * row_bytes(pool);
}

} // namespace kvprof::workload

namespace kvprof {

template<>
struct EnumNames<workload::StateKind> {
    static constexpr std::array values{
        std::pair{workload::StateKind::full, "full"},
        std::pair{workload::StateKind::swa, "swa"},
        std::pair{workload::StateKind::state, "state"}};
};

} // namespace kvprof
