#include "capture/workload/end_allocator.h"

#include <algorithm>

namespace kvprof::workload {

std::span<const VirtualPage> EndAllocator::free_virtual() const {
    return std::span(free_virtual_).subspan(free_head_);
}

std::int64_t EndAllocator::hole_pages() const {
    return static_cast<std::int64_t>(holes_.size());
}

std::int64_t EndAllocator::pending_pages() const {
    std::int64_t pages = 0;
    for (const auto& [reader, list] : pending_) {
        pages += static_cast<std::int64_t>(list.size());
    }
    return pages;
}

PhysicalPage EndAllocator::page_at(std::int64_t depth) const {
    const bool is_up = grid_.pool.growth == Growth::up;
    return {is_up ? grid_.min_page + depth : grid_.num_pages - 1 - depth};
}

std::int64_t EndAllocator::depth_of(PhysicalPage page) const {
    const bool is_up = grid_.pool.growth == Growth::up;
    return is_up ? page.value - grid_.min_page : grid_.num_pages - 1 - page.value;
}

Bytes EndAllocator::frontier() const {
    const std::int64_t next = watermark().value;
    return {(grid_.pool.growth == Growth::up ? next : next + 1) * page_bytes(grid_.pool)};
}

std::int64_t EndAllocator::gap_bytes(Bytes neighbour) const {
    const Bytes gap =
        grid_.pool.growth == Growth::up ? neighbour - frontier() : frontier() - neighbour;
    return gap.count;
}

std::int64_t EndAllocator::index_room_pages() const {
    return grid_.num_pages - grid_.min_page - span_pages_;
}

std::int64_t EndAllocator::available_pages(Bytes neighbour) const {
    const std::int64_t extendable = gap_bytes(neighbour) / page_bytes(grid_.pool);
    return std::min(extendable, index_room_pages()) + hole_pages();
}

void EndAllocator::check_invariants() const {
    const bool is_up = grid_.pool.growth == Growth::up;
    const PhysicalPage first{is_up ? grid_.min_page : grid_.num_pages - span_pages_};
    tables_.check(grid_.pool.kind, first, span_pages_);
    check_lists();
}

void EndAllocator::check_lists() const {
    const StateKind kind = grid_.pool.kind;
    require_invariant(
        span_pages_ == live_pages() + hole_pages() + pending_pages(),
        kind,
        "span = live + holes + pending",
        span_pages_
    );
    require_invariant(
        span_pages_ <= grid_.num_pages - grid_.min_page, kind, "span fits", span_pages_
    );
    std::vector<PhysicalPage> unused = holes_;
    for (const auto& [reader, list] : pending_) {
        unused.insert(unused.end(), list.begin(), list.end());
    }
    std::ranges::sort(unused);
    require_invariant(
        std::ranges::adjacent_find(unused) == unused.end(),
        kind,
        "holes and pending are distinct",
        0
    );
    for (const PhysicalPage page : unused) {
        const std::int64_t depth = depth_of(page);
        require_invariant(
            depth >= 0 && depth < span_pages_, kind, "a hole is in the span", page.value
        );
        require_invariant(!tables_.is_bound(page), kind, "a hole is not bound", page.value);
    }
    if (!is_owner_) {
        return;
    }
    std::vector<VirtualPage> ids(free_virtual().begin(), free_virtual().end());
    std::ranges::sort(ids);
    require_invariant(
        std::ranges::adjacent_find(ids) == ids.end(), kind, "free ids are distinct", 0
    );
    for (const VirtualPage page : ids) {
        require_invariant(
            !physical(page) && page.value >= grid_.min_page,
            kind,
            "a free id is not bound",
            page.value
        );
    }
    require_invariant(
        std::ssize(ids) + live_pages() == grid_.num_pages - grid_.min_page,
        kind,
        "free and live ids are all ids",
        std::ssize(ids)
    );
}

} // namespace kvprof::workload
