#include "capture/workload/capacity.h"
#include "capture/workload/pool_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kvprof::workload {

namespace {

/// Pages that a full flush turns back into room at the frontier.
std::int64_t drainable_pages(const EndAllocator& end) {
    return end.hole_pages() + end.pending_pages();
}

std::int64_t drainable_bytes(const EndAllocator& end) {
    return drainable_pages(end) * page_bytes(end.grid().pool);
}

/// Where the frontier lies after a full flush.
std::int64_t packed_frontier(const EndAllocator& end) {
    const std::int64_t drained = drainable_bytes(end);
    const bool is_up = end.grid().pool.growth == Growth::up;
    return end.frontier().count + (is_up ? -drained : drained);
}

JointSide side_of(const EndAllocator& end) {
    return {
        .page_bytes = page_bytes(end.grid().pool),
        .hole_pages = end.hole_pages(),
        .index_room_pages = end.index_room_pages()};
}

JointSide packed_side_of(const EndAllocator& end) {
    return {
        .page_bytes = page_bytes(end.grid().pool),
        .index_room_pages = end.index_room_pages() + drainable_pages(end)};
}

} // namespace

std::int64_t PoolChain::available_pages(StateKind kind) const {
    Memo& memo = available_.at(static_cast<std::size_t>(kind));
    if (memo.epoch != epoch()) {
        memo = {.epoch = epoch(), .pages = compute_available(kind)};
    }
    return memo.pages;
}

std::int64_t PoolChain::compute_available(StateKind kind) const {
    if (floats(kind)) {
        return float_->available_pages(float_gap());
    }
    const EndAllocator& end = member(kind);
    const Bytes neighbour = neighbour_of(index_of(kind));
    if (!is_joint(kind)) {
        return end.available_pages(neighbour);
    }
    if (float_) {
        return joint_pages(joint_float());
    }
    return joint_pages(end.gap_bytes(neighbour), side_of(end), side_of(member(StateKind::swa)));
}

std::int64_t PoolChain::schedulable_pages(StateKind kind) const {
    if (floats(kind)) {
        return available_pages(kind); // it owns no pages, so nobody asks it to make room for itself
    }
    const EndAllocator& end = member(kind);
    if (!is_joint(kind)) {
        return schedulable_slots(end);
    }
    if (float_) {
        return joint_pages(packed_joint_float());
    }
    const EndAllocator& swa = member(StateKind::swa);
    const std::int64_t gap = packed_frontier(ends_[1]) - packed_frontier(ends_[0]);
    return joint_pages(gap, packed_side_of(end), packed_side_of(swa));
}

/// An END alone: what lies between the ENDs when both are packed, less a FLOAT that has been slid
/// to the far side.
std::int64_t PoolChain::schedulable_slots(const EndAllocator& end) const {
    std::int64_t low = packed_frontier(ends_[0]);
    std::int64_t high = packed_frontier(ends_[1]);
    if (float_ && !float_->is_empty()) {
        const SubPool& pool = float_->grid().pool;
        const std::int64_t size = page_bytes(pool);
        const PageRoom room =
            room_between(low, high, size, {float_->grid().min_page, float_->grid().num_pages});
        if (end.grid().pool.growth == Growth::up) {
            high = (room.high - float_->live_pages()) * size;
        } else {
            low = (room.low + float_->live_pages()) * size;
        }
    }
    const JointSide side = packed_side_of(end);
    return std::min((high - low) / side.page_bytes, side.index_room_pages);
}

JointFloat PoolChain::joint_float() const {
    const PoolGrid& grid = float_->grid();
    return {
        .full = side_of(member(StateKind::full)),
        .full_frontier = ends_[1].frontier().count,
        .up_frontier = ends_[0].frontier().count,
        .swa_page_bytes = page_bytes(grid.pool),
        .swa_grid = {grid.min_page, grid.num_pages},
        .swa = float_->span()};
}

/// Both ENDs packed, and the FLOAT packed against the grow-up one.
JointFloat PoolChain::packed_joint_float() const {
    JointFloat chain = joint_float();
    chain.full = packed_side_of(member(StateKind::full));
    chain.full_frontier = packed_frontier(ends_[1]);
    chain.up_frontier = packed_frontier(ends_[0]);
    const PageRoom room =
        room_between(chain.up_frontier, chain.full_frontier, chain.swa_page_bytes, chain.swa_grid);
    chain.swa = {.low = room.low, .high = room.low + float_->live_pages()};
    return chain;
}

bool PoolChain::has(StateKind kind) const {
    return floats(kind) || std::ranges::any_of(ends_, [kind](const EndAllocator& end) {
               return end.grid().pool.kind == kind;
           });
}

bool PoolChain::floats(StateKind kind) const {
    return float_ && float_->grid().pool.kind == kind;
}

bool PoolChain::is_joint(StateKind kind) const {
    return kind == StateKind::full && has(StateKind::swa);
}

const PageTables& PoolChain::tables(StateKind kind) const {
    return floats(kind) ? float_->tables() : member(kind).tables();
}

const EndAllocator& PoolChain::member(StateKind kind) const {
    return ends_[index_of(kind)];
}

std::size_t PoolChain::index_of(StateKind kind) const {
    for (std::size_t index = 0; index < ends_.size(); ++index) {
        if (ends_[index].grid().pool.kind == kind) {
            return index;
        }
    }
    throw std::logic_error(
        fmt::format("could not use sub-pool {}: the chain has none at an end", to_string(kind))
    );
}

/// The next frontier in the direction of growth: the FLOAT's edge, unless it is empty.
Bytes PoolChain::neighbour_of(std::size_t index) const {
    if (float_ && !float_->is_empty()) {
        return float_->edge(index == 0 ? Side::low : Side::high);
    }
    return ends_[1 - index].frontier();
}

ByteGap PoolChain::float_gap() const {
    return {ends_[0].frontier(), ends_[1].frontier()};
}

std::int64_t PoolChain::epoch() const {
    std::int64_t sum = float_ ? float_->epoch() : 0;
    for (const EndAllocator& end : ends_) {
        sum += end.epoch();
    }
    return sum;
}

} // namespace kvprof::workload
