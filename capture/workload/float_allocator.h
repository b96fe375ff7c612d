#pragma once

#include "capture/model/units.h"
#include "capture/workload/buffer_layout.h"
#include "capture/workload/capacity.h"
#include "capture/workload/page_ids.h"
#include "capture/workload/page_tables.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::workload {

/// The bytes that a floating sub-pool may lie in: between the frontiers of the two ENDs.
struct ByteGap {
    Bytes low;
    Bytes high;
};

enum class Side : std::uint8_t { low, high };

/// First page of `pages` consecutive ones in the middle of `gap`.
/// @throws UnavailableError when so many do not fit.
[[nodiscard]] PhysicalPage
centred_page(const PoolGrid& grid, const ByteGap& gap, std::int64_t pages);

/// Allocator of the sub-pool between the two ENDs. It binds an owner's pages in one span, which
/// grows on either side and can be slid; freeing copies nothing. Not thread-safe.
class FloatAllocator {
  public:
    /// The owner's v2p has `owner_rows` rows: so has this one.
    FloatAllocator(const PoolGrid& grid, std::int64_t owner_rows);

    /// Binds the owner's pages: to holes first, the rest in an ascending run on the side with the
    /// larger room. A first span goes to the middle of the gap.
    /// @throws UnavailableError when they do not fit; nothing is changed.
    void bind(std::span<const VirtualPage> pages, const ByteGap& gap);
    /// Leaves holes. Pages that it does not hold are skipped (they left the window earlier). With
    /// its last page the span is gone.
    void free(std::span<const VirtualPage> pages);
    /// Gives holes at either edge back to the neighbours. Nothing is moved.
    void flush();
    /// Draws one edge back until at least `bytes` more are free on that side: the bound pages of
    /// the band move into holes, farthest from that side first, and past the other edge. No forward
    /// pass may be reading any more. @throws UnavailableError when `gap` has no room for them.
    [[nodiscard]] std::vector<PageMove>
    make_room(Side side, std::int64_t bytes, const ByteGap& gap);
    /// The spans that drawing back by 0, 1, 2, ... pages on one side leaves, as far as that goes.
    [[nodiscard]] std::vector<FloatSpan> slides(Side side, const ByteGap& gap) const;

    [[nodiscard]] const PoolGrid& grid() const { return grid_; }

    [[nodiscard]] const PageTables& tables() const { return tables_; }

    [[nodiscard]] std::optional<PhysicalPage> physical(VirtualPage page) const {
        return tables_.physical(page);
    }

    [[nodiscard]] std::span<const PhysicalPage> holes() const { return holes_; }

    [[nodiscard]] std::int64_t live_pages() const { return tables_.bound_pages(); }

    /// Holds no page: its neighbours see through it.
    [[nodiscard]] bool is_empty() const { return live_pages() == 0; }

    [[nodiscard]] FloatSpan span() const;
    /// First byte of the span, and first byte past it.
    [[nodiscard]] Bytes edge(Side side) const;
    /// Pages that one bind() can take: the holes, and the larger room.
    [[nodiscard]] std::int64_t available_pages(const ByteGap& gap) const;

    /// Counts every change of the state, for memos.
    [[nodiscard]] std::int64_t epoch() const { return epoch_; }

    /// @throws std::logic_error naming the broken invariant. Visits every page.
    void check_invariants() const;

  private:
    [[nodiscard]] PhysicalPage start_of_run(std::int64_t pages, const ByteGap& gap) const;
    [[nodiscard]] std::vector<PhysicalPage> places_past(Side side, std::int64_t edge) const;
    void absorb();
    void changed();

    PoolGrid grid_;
    PageTables tables_;
    std::vector<PhysicalPage> holes_;
    std::int64_t low_ = 0;  ///< first page of the span
    std::int64_t high_ = 0; ///< first page past it
    std::int64_t epoch_ = 0;
};

} // namespace kvprof::workload
