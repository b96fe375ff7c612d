#pragma once

#include "capture/model/units.h"
#include "capture/workload/buffer_layout.h"
#include "capture/workload/page_ids.h"
#include "capture/workload/page_tables.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::workload {

/// When freed pages are packed: with the free itself, or later by a flush.
enum class Compaction : std::uint8_t { eager, lazy };

/// A forward pass that may still read pages which a flush has vacated.
struct ReaderEvent {
    std::int64_t value = 0;

    friend constexpr auto operator<=>(ReaderEvent, ReaderEvent) = default;
};

/// What a flush beside a running forward pass may do.
struct FlushLimits {
    std::int64_t max_moves = std::numeric_limits<std::int64_t>::max();
    std::vector<PhysicalPage> written{}; ///< pages that the forward writes: packing stops there
    std::optional<ReaderEvent> reader{}; ///< vacated pages stay pending until it is released
};

/// Allocator of a sub-pool that grows from one end of the buffer. It keeps tables and lists only;
/// bytes are moved by the caller. `neighbour` is the frontier of the next sub-pool. Pages are
/// unique in every list. Not thread-safe.
class EndAllocator {
  public:
    /// Owns its virtual pages, `[min_page, num_pages)`.
    EndAllocator(const PoolGrid& grid, Compaction compaction);
    /// Binds virtual pages of an owner, whose v2p has `owner_rows` rows: so has this one.
    EndAllocator(const PoolGrid& grid, Compaction compaction, std::int64_t owner_rows);

    /// Takes `pages` virtual pages from the head of the free list and binds them.
    /// @throws UnavailableError when they do not fit before `neighbour`; nothing is changed.
    [[nodiscard]] std::vector<VirtualPage> alloc(std::int64_t pages, Bytes neighbour);
    /// Binds the owner's pages: to holes first, then to an ascending run past the watermark.
    void bind(std::span<const VirtualPage> pages, Bytes neighbour);
    /// Unbinds; an owner gets the ids back. A non-owner skips pages that it does not hold (they
    /// left the window earlier). Eager: packs at once and returns the moves; lazy: leaves holes, no
    /// moves.
    [[nodiscard]] std::vector<PageMove> free(std::span<const VirtualPage> pages);
    /// Urgent: packs fully. No forward pass may be reading any more; pending pages are released.
    [[nodiscard]] std::vector<PageMove> flush();
    /// Not urgent: moves the outermost pages into the innermost holes as far as `limits` allow.
    [[nodiscard]] std::vector<PageMove> flush_some(const FlushLimits& limits);
    /// The forward is done: the pages that were pending on it become holes.
    void release(ReaderEvent reader);

    [[nodiscard]] const PoolGrid& grid() const { return grid_; }

    [[nodiscard]] const PageTables& tables() const { return tables_; }

    /// [owner's pages + 1], the last row is -1; [0] = 0.
    [[nodiscard]] std::span<const std::int64_t> v2p() const { return tables_.v2p(); }

    /// [num_pages + 1], the last row is -1; [0] = 0.
    [[nodiscard]] std::span<const std::int64_t> p2v() const { return tables_.p2v(); }

    /// Free virtual pages, next one first; empty for a non-owner.
    [[nodiscard]] std::span<const VirtualPage> free_virtual() const;

    [[nodiscard]] std::span<const PhysicalPage> holes() const { return holes_; }

    [[nodiscard]] std::optional<PhysicalPage> physical(VirtualPage page) const {
        return tables_.physical(page);
    }

    [[nodiscard]] std::int64_t live_pages() const { return tables_.bound_pages(); }

    [[nodiscard]] std::int64_t hole_pages() const;
    [[nodiscard]] std::int64_t pending_pages() const;

    /// Live, hole and pending pages: what lies between the anchor and the watermark.
    [[nodiscard]] std::int64_t span_pages() const { return span_pages_; }

    /// Next page past the allocated range.
    [[nodiscard]] PhysicalPage watermark() const { return page_at(span_pages_); }

    /// The watermark in bytes: this sub-pool's edge towards its neighbour.
    [[nodiscard]] Bytes frontier() const;
    /// Free bytes between the two frontiers.
    [[nodiscard]] std::int64_t gap_bytes(Bytes neighbour) const;
    /// Pages that the grid still has past the watermark.
    [[nodiscard]] std::int64_t index_room_pages() const;
    /// Pages that alloc() can hand out without a move.
    [[nodiscard]] std::int64_t available_pages(Bytes neighbour) const;

    /// Counts every change of the state, for memos.
    [[nodiscard]] std::int64_t epoch() const { return epoch_; }

    /// @throws std::logic_error naming the broken invariant. Visits every page.
    void check_invariants() const;

  private:
    [[nodiscard]] PhysicalPage page_at(std::int64_t depth) const;
    [[nodiscard]] std::int64_t depth_of(PhysicalPage page) const;
    void require_room(std::int64_t pages, Bytes neighbour) const;
    void place(std::span<const VirtualPage> pages);
    [[nodiscard]] std::vector<PhysicalPage> unbind(std::span<const VirtualPage> pages);
    [[nodiscard]] std::vector<PageMove> close_band(std::vector<PhysicalPage> freed);
    void absorb_holes();
    [[nodiscard]] std::vector<PageMove> pack(const FlushLimits& limits);
    void changed();
    void check_lists() const;

    PoolGrid grid_;
    Compaction compaction_;
    bool is_owner_;
    PageTables tables_;
    std::vector<VirtualPage> free_virtual_;
    std::size_t free_head_ = 0;
    std::vector<PhysicalPage> holes_;
    std::map<ReaderEvent, std::vector<PhysicalPage>> pending_;
    std::int64_t span_pages_ = 0;
    std::int64_t epoch_ = 0;
};

} // namespace kvprof::workload
