#pragma once

#include "kernels/id_math.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kvprof::workload {

/// An id of one id space. Ids of different spaces neither compare nor convert.
template<typename Space>
struct SpaceId {
    std::int64_t value = 0;

    friend constexpr auto operator<=>(SpaceId, SpaceId) = default;
};

/// Page id that the scheduler and req_to_token keep; stable while the page lives. 0 is padding.
using VirtualPage = SpaceId<struct VirtualPageSpace>;
/// Where a page sits in the buffer, in its sub-pool's own grid. 0 is the sink.
using PhysicalPage = SpaceId<struct PhysicalPageSpace>;
/// Virtual token id: `vpage * page_size + offset` (static pool: the physical one).
using TokenId = SpaceId<struct TokenIdSpace>;
/// Id that indexes a layer's view: `ppage * mult * page_size + offset`.
using KernelId = SpaceId<struct KernelIdSpace>;

/// Table element of a page without a counterpart: freed, left the window, or never bound.
inline constexpr std::int64_t kTombstone = -1;

/// A v2p or p2v of `rows` rows: page 0 maps to itself, and the rest starts unbound.
[[nodiscard]] inline std::vector<std::int64_t> unbound_table(std::int64_t rows) {
    std::vector<std::int64_t> table(static_cast<std::size_t>(rows), kTombstone);
    table.front() = 0;
    return table;
}

[[nodiscard]] constexpr TokenId
token_in(VirtualPage page, std::int64_t offset, std::int64_t page_size) {
    return {page.value * page_size + offset};
}

[[nodiscard]] constexpr VirtualPage page_of(TokenId token, std::int64_t page_size) {
    return {kernels::virtual_page(token.value, page_size)};
}

} // namespace kvprof::workload
