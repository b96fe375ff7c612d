#pragma once

#include "capture/workload/page_ids.h"
#include "capture/workload/sub_pool.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::workload {

/// A page whose bytes the caller copies. The tables already show `to`; a list is copied in order.
struct PageMove {
    PhysicalPage from;
    PhysicalPage to;

    friend bool operator==(const PageMove&, const PageMove&) = default;
};

/// v2p and p2v of one sub-pool: which virtual page lies where. Both keep page 0 at 0 and a last row
/// of -1.
class PageTables {
  public:
    /// `virtual_pages` are those of the ids' owner, which may have more than this grid.
    PageTables(std::int64_t virtual_pages, std::int64_t num_pages);

    /// @throws std::logic_error for a virtual page that is bound, or that no table row is for.
    void bind(VirtualPage page, PhysicalPage home);
    /// Where the page was; none when it is not bound.
    [[nodiscard]] std::optional<PhysicalPage> unbind(VirtualPage page);
    /// Binds the virtual page of `from`, which must have one, to `to`.
    PageMove move(PhysicalPage from, PhysicalPage to);

    [[nodiscard]] std::optional<PhysicalPage> physical(VirtualPage page) const;
    [[nodiscard]] bool is_bound(PhysicalPage page) const;

    /// [virtual pages + 1]
    [[nodiscard]] std::span<const std::int64_t> v2p() const { return v2p_; }

    /// [num_pages + 1]
    [[nodiscard]] std::span<const std::int64_t> p2v() const { return p2v_; }

    [[nodiscard]] std::int64_t bound_pages() const { return bound_pages_; }

    /// @throws std::logic_error unless the tables are each other's inverse, with every bound page
    /// in [first, first + count). Visits every page.
    void check(StateKind kind, PhysicalPage first, std::int64_t count) const;

  private:
    std::vector<std::int64_t> v2p_;
    std::vector<std::int64_t> p2v_;
    std::int64_t bound_pages_ = 0;
};

/// @throws std::logic_error "broken invariant of sub-pool ..." unless `holds`.
void require_invariant(bool holds, StateKind kind, const char* invariant, std::int64_t value);

} // namespace kvprof::workload
