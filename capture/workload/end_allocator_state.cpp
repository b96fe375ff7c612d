#include "capture/workload/end_allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kvprof::workload {

namespace {

std::size_t row(std::int64_t page) {
    return static_cast<std::size_t>(page);
}

void require(bool holds, StateKind kind, const char* invariant, std::int64_t value) {
    if (!holds) {
        throw std::logic_error(fmt::format(
            "broken invariant of sub-pool {}: {} ({})", to_string(kind), invariant, value
        ));
    }
}

} // namespace

std::span<const VirtualPage> EndAllocator::free_virtual() const {
    return std::span(free_virtual_).subspan(free_head_);
}

std::optional<PhysicalPage> EndAllocator::physical(VirtualPage page) const {
    if (page.value < 1 || row(page.value) >= v2p_.size() || v2p_[row(page.value)] == kTombstone) {
        return std::nullopt;
    }
    return PhysicalPage{v2p_[row(page.value)]};
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
    check_tables();
    check_lists();
}

void EndAllocator::check_tables() const {
    const StateKind kind = grid_.pool.kind;
    require(v2p_.front() == 0 && p2v_.front() == 0, kind, "page 0 maps to 0", v2p_.front());
    require(v2p_.back() == kTombstone && p2v_.back() == kTombstone, kind, "the last row is -1", 0);
    std::int64_t bound = 0;
    for (std::int64_t page = 1; row(page) + 1 < v2p_.size(); ++page) {
        const std::int64_t home = v2p_[row(page)];
        if (home != kTombstone) {
            const std::int64_t depth = depth_of({home});
            require(depth >= 0 && depth < span_pages_, kind, "v2p stays in the span", home);
            require(p2v_[row(home)] == page, kind, "p2v[v2p[v]] == v", page);
            ++bound;
        }
    }
    const auto unbound = std::ranges::count(p2v_, kTombstone);
    require(bound == live_pages_, kind, "v2p binds the live pages", bound);
    require(
        std::ssize(p2v_) - unbound == live_pages_ + 1, kind, "p2v binds the live pages", unbound
    );
}

void EndAllocator::check_lists() const {
    const StateKind kind = grid_.pool.kind;
    require(
        span_pages_ == live_pages_ + hole_pages() + pending_pages(),
        kind,
        "span = live + holes + pending",
        span_pages_
    );
    require(span_pages_ <= grid_.num_pages - grid_.min_page, kind, "span fits", span_pages_);
    std::vector<PhysicalPage> unused = holes_;
    for (const auto& [reader, list] : pending_) {
        unused.insert(unused.end(), list.begin(), list.end());
    }
    std::ranges::sort(unused);
    require(
        std::ranges::adjacent_find(unused) == unused.end(),
        kind,
        "holes and pending are distinct",
        0
    );
    for (const PhysicalPage page : unused) {
        const std::int64_t depth = depth_of(page);
        require(depth >= 0 && depth < span_pages_, kind, "a hole is in the span", page.value);
        require(p2v_[row(page.value)] == kTombstone, kind, "a hole is not bound", page.value);
    }
    if (!is_owner_) {
        return;
    }
    std::vector<VirtualPage> ids(free_virtual().begin(), free_virtual().end());
    std::ranges::sort(ids);
    require(std::ranges::adjacent_find(ids) == ids.end(), kind, "free ids are distinct", 0);
    for (const VirtualPage page : ids) {
        require(
            !physical(page) && page.value >= grid_.min_page,
            kind,
            "a free id is not bound",
            page.value
        );
    }
    require(
        std::ssize(ids) + live_pages_ == grid_.num_pages - grid_.min_page,
        kind,
        "free and live ids are all ids",
        std::ssize(ids)
    );
}

} // namespace kvprof::workload
