#include "capture/workload/pool_chain.h"

#include "capture/model/error.h"
#include "capture/workload/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace kvprof::workload {

namespace {

/// Pages that a full flush turns back into room at the frontier.
std::int64_t drainable_pages(const EndAllocator& end) {
    return end.hole_pages() + end.pending_pages();
}

std::int64_t drainable_bytes(const EndAllocator& end) {
    return drainable_pages(end) * page_bytes(end.grid().pool);
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

PoolChain::PoolChain(const BufferLayout& layout, Compaction compaction)
    : layout_(layout) {
    const auto full = std::ranges::find_if(layout.grids, [](const PoolGrid& grid) {
        return grid.pool.kind == StateKind::full;
    });
    for (const PoolGrid& grid : layout.grids) {
        if (grid.pool.kind != StateKind::swa) {
            members_.emplace_back(grid, compaction);
        } else if (full == layout.grids.end() || full->pool.page_size != grid.pool.page_size) {
            throw UsageError(
                "could not chain the sub-pools: swa binds the pages of full, and there "
                "is no full sub-pool with its page size"
            );
        } else {
            members_.emplace_back(grid, compaction, full->num_pages + 1);
        }
    }
}

std::vector<VirtualPage> PoolChain::alloc(StateKind kind, std::int64_t pages) {
    if (pages > available_pages(kind)) {
        make_room(kind, pages);
    }
    const std::size_t index = index_of(kind);
    std::vector<VirtualPage> taken = members_[index].alloc(pages, neighbour_of(index));
    if (is_joint(kind)) {
        const std::size_t swa = index_of(StateKind::swa);
        members_[swa].bind(taken, neighbour_of(swa));
    }
    assert((check_invariants(), true));
    return taken;
}

void PoolChain::free(StateKind kind, std::span<const VirtualPage> pages) {
    if (is_joint(kind)) {
        const std::size_t swa = index_of(StateKind::swa);
        record(swa, members_[swa].free(pages));
    }
    const std::size_t index = index_of(kind);
    record(index, members_[index].free(pages));
    assert((check_invariants(), true));
}

void PoolChain::flush() {
    for (std::size_t index = 0; index < members_.size(); ++index) {
        record(index, members_[index].flush());
    }
}

void PoolChain::flush_some(StateKind kind, const FlushLimits& limits) {
    const std::size_t index = index_of(kind);
    record(index, members_[index].flush_some(limits));
}

void PoolChain::release(ReaderEvent reader) {
    for (EndAllocator& member : members_) {
        member.release(reader);
    }
}

std::vector<EnvelopeMove> PoolChain::take_moves() {
    return std::exchange(moves_, {});
}

std::int64_t PoolChain::available_pages(StateKind kind) const {
    Memo& memo = available_.at(static_cast<std::size_t>(kind));
    if (memo.epoch != epoch()) {
        memo = {.epoch = epoch(), .pages = compute_available(kind)};
    }
    return memo.pages;
}

std::int64_t PoolChain::compute_available(StateKind kind) const {
    const EndAllocator& end = member(kind);
    const Bytes neighbour = neighbour_of(index_of(kind));
    if (!is_joint(kind)) {
        return end.available_pages(neighbour);
    }
    return joint_pages(end.gap_bytes(neighbour), side_of(end), side_of(member(StateKind::swa)));
}

std::int64_t PoolChain::schedulable_pages(StateKind kind) const {
    const EndAllocator& end = member(kind);
    std::int64_t gap_bytes = end.gap_bytes(neighbour_of(index_of(kind)));
    for (const EndAllocator& any : members_) {
        gap_bytes += drainable_bytes(any);
    }
    const JointSide side = packed_side_of(end);
    if (is_joint(kind)) {
        return joint_pages(gap_bytes, side, packed_side_of(member(StateKind::swa)));
    }
    return std::min(gap_bytes / side.page_bytes, side.index_room_pages);
}

void PoolChain::make_room(StateKind kind, std::int64_t pages) {
    if (pages > schedulable_pages(kind)) {
        throw UnavailableError(
            fmt::format(
                "could not allocate {} {} pages: {} fit after packing, in a buffer of {} B with {} "
                "B "
                "between the frontiers",
                pages,
                to_string(kind),
                schedulable_pages(kind),
                layout_.total.count,
                member(kind).gap_bytes(neighbour_of(index_of(kind)))
            ),
            "raise --pool-tokens, or lower --batch or --seq-len"
        );
    }
    // The rungs of the ladder: the neighbours first, since this end's own holes are usable as they
    // are. A floating member between the ends would add a rung that slides it.
    const std::size_t own = index_of(kind);
    for (std::size_t index = 0; index < members_.size(); ++index) {
        if (index != own && pages > available_pages(kind)) {
            record(index, members_[index].flush());
        }
    }
    if (pages > available_pages(kind)) {
        record(own, members_[own].flush());
    }
}

bool PoolChain::has(StateKind kind) const {
    return std::ranges::any_of(members_, [kind](const EndAllocator& end) {
        return end.grid().pool.kind == kind;
    });
}

bool PoolChain::is_joint(StateKind kind) const {
    return kind == StateKind::full && has(StateKind::swa);
}

const EndAllocator& PoolChain::member(StateKind kind) const {
    return members_[index_of(kind)];
}

std::size_t PoolChain::index_of(StateKind kind) const {
    for (std::size_t index = 0; index < members_.size(); ++index) {
        if (members_[index].grid().pool.kind == kind) {
            return index;
        }
    }
    throw std::logic_error(
        fmt::format("could not use sub-pool {}: the chain has none", to_string(kind))
    );
}

Bytes PoolChain::neighbour_of(std::size_t index) const {
    // With two ends the neighbour is the other one. A floating member would make this the nearest
    // one that is not empty, on a given side.
    return members_[1 - index].frontier();
}

std::int64_t PoolChain::epoch() const {
    std::int64_t sum = 0;
    for (const EndAllocator& end : members_) {
        sum += end.epoch();
    }
    return sum;
}

void PoolChain::record(std::size_t index, std::span<const PageMove> moves) {
    const SubPool& pool = members_[index].grid().pool;
    const std::int64_t size = page_bytes(pool);
    for (const PageMove& move : moves) {
        moves_.push_back(
            {.kind = pool.kind,
             .pages = move,
             .from = {move.from.value * size},
             .to = {move.to.value * size},
             .size = {size}}
        );
    }
}

} // namespace kvprof::workload
