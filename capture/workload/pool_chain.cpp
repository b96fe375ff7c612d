#include "capture/workload/pool_chain.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace kvprof::workload {

PoolChain::PoolChain(const BufferLayout& layout, Compaction compaction)
    : layout_(layout) {
    const auto full = std::ranges::find_if(layout.grids, [](const PoolGrid& grid) {
        return grid.pool.kind == StateKind::full;
    });
    for (const PoolGrid& grid : layout.grids) {
        const bool is_window = grid.pool.kind == StateKind::swa;
        const bool is_floating = grid.pool.growth == Growth::floating;
        if (is_window
            && (full == layout.grids.end() || full->pool.page_size != grid.pool.page_size)) {
            throw UsageError(
                "could not chain the sub-pools: swa binds the pages of full, and there "
                "is no full sub-pool with its page size"
            );
        }
        if (is_floating && !is_window) {
            throw UsageError(fmt::format(
                "could not chain the sub-pools: {} owns its pages, and only swa floats",
                to_string(grid.pool.kind)
            ));
        }
        if (is_floating) {
            float_.emplace(grid, full->num_pages + 1);
        } else if (is_window) {
            ends_.emplace_back(grid, compaction, full->num_pages + 1);
        } else {
            ends_.emplace_back(grid, compaction);
        }
    }
}

std::vector<VirtualPage> PoolChain::alloc(StateKind kind, std::int64_t pages) {
    if (pages > available_pages(kind)) {
        make_room(kind, pages);
    }
    const std::size_t index = index_of(kind);
    std::vector<VirtualPage> taken = ends_[index].alloc(pages, neighbour_of(index));
    if (is_joint(kind) && float_) {
        float_->bind(taken, float_gap());
    } else if (is_joint(kind)) {
        const std::size_t swa = index_of(StateKind::swa);
        ends_[swa].bind(taken, neighbour_of(swa));
    }
    assert((check_invariants(), true));
    return taken;
}

void PoolChain::free(StateKind kind, std::span<const VirtualPage> pages) {
    if (kind == StateKind::swa || is_joint(kind)) {
        free_windows(pages);
    }
    if (kind != StateKind::swa) {
        const std::size_t index = index_of(kind);
        record(ends_[index].grid().pool, ends_[index].free(pages));
    }
    assert((check_invariants(), true));
}

void PoolChain::free_windows(std::span<const VirtualPage> pages) {
    if (float_) {
        float_->free(pages);
        return;
    }
    EndAllocator& swa = ends_[index_of(StateKind::swa)];
    record(swa.grid().pool, swa.free(pages));
}

void PoolChain::flush() {
    for (EndAllocator& end : ends_) {
        record(end.grid().pool, end.flush());
    }
    flush_float();
}

void PoolChain::flush_some(StateKind kind, const FlushLimits& limits) {
    if (floats(kind)) {
        flush_float();
        return;
    }
    EndAllocator& end = ends_[index_of(kind)];
    record(end.grid().pool, end.flush_some(limits));
}

void PoolChain::flush_float() {
    if (float_) {
        float_->flush();
    }
}

void PoolChain::release(ReaderEvent reader) {
    for (EndAllocator& end : ends_) {
        end.release(reader);
    }
}

std::vector<EnvelopeMove> PoolChain::take_moves() {
    return std::exchange(moves_, {});
}

/// The rungs of the ladder: flush the others, then slide the FLOAT.
void PoolChain::make_room(StateKind kind, std::int64_t pages) {
    if (pages > schedulable_pages(kind)) {
        throw UnavailableError(
            fmt::format(
                "could not allocate {} {} pages: {} fit after packing, in a buffer of {} B with {} "
                "B between the frontiers",
                pages,
                to_string(kind),
                schedulable_pages(kind),
                layout_.total.count,
                member(kind).gap_bytes(neighbour_of(index_of(kind)))
            ),
            "raise --pool-tokens, or lower --batch or --seq-len"
        );
    }
    flush_all_for(kind, pages);
    if (pages > available_pages(kind)) {
        slide_for(kind, pages);
    }
}

/// The neighbours first, since this end's own holes are usable as they are.
void PoolChain::flush_all_for(StateKind kind, std::int64_t pages) {
    flush_float();
    const std::size_t own = index_of(kind);
    for (const std::size_t index : {1 - own, own}) {
        if (pages > available_pages(kind)) {
            record(ends_[index].grid().pool, ends_[index].flush());
        }
    }
}

/// Both ENDs are packed. A joint allocation wants all room above the FLOAT, where full and swa can
/// share it; the other END wants room on its own side.
void PoolChain::slide_for(StateKind kind, std::int64_t pages) {
    const SubPool& pool = float_->grid().pool;
    if (!is_joint(kind)) {
        const std::size_t own = index_of(kind);
        const std::int64_t wanted = pages * page_bytes(ends_[own].grid().pool);
        const std::int64_t lacking = wanted - ends_[own].gap_bytes(neighbour_of(own));
        const Side side = own == 0 ? Side::low : Side::high;
        record(pool, float_->make_room(side, lacking, float_gap()));
        return;
    }
    JointFloat chain = joint_float();
    std::int64_t drawn_back = 0;
    for (const FloatSpan& span : float_->slides(Side::high, float_gap())) {
        chain.swa = span;
        if (joint_fits(chain, pages)) {
            break;
        }
        ++drawn_back;
    }
    record(pool, float_->make_room(Side::high, drawn_back * page_bytes(pool), float_gap()));
}

void PoolChain::record(const SubPool& pool, std::span<const PageMove> moves) {
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
