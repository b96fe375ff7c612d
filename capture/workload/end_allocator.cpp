#include "capture/workload/end_allocator.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kvprof::workload {

namespace {

std::size_t row(std::int64_t page) {
    return static_cast<std::size_t>(page);
}

} // namespace

EndAllocator::EndAllocator(const PoolGrid& grid, Compaction compaction)
    : grid_(grid),
      compaction_(compaction),
      is_owner_(true),
      tables_(grid.num_pages, grid.num_pages) {
    for (std::int64_t page = grid.min_page; page < grid.num_pages; ++page) {
        free_virtual_.push_back({page});
    }
}

EndAllocator::EndAllocator(const PoolGrid& grid, Compaction compaction, std::int64_t owner_rows)
    : grid_(grid),
      compaction_(compaction),
      is_owner_(false),
      tables_(owner_rows - 1, grid.num_pages) {}

std::vector<VirtualPage> EndAllocator::alloc(std::int64_t pages, Bytes neighbour) {
    if (!is_owner_) {
        throw std::logic_error("could not allocate virtual pages: this sub-pool does not own any");
    }
    require_room(pages, neighbour);
    const std::span<const VirtualPage> head = free_virtual().first(row(pages));
    std::vector<VirtualPage> taken(head.begin(), head.end());
    free_head_ += taken.size();
    place(taken);
    changed();
    return taken;
}

void EndAllocator::bind(std::span<const VirtualPage> pages, Bytes neighbour) {
    if (is_owner_) {
        throw std::logic_error("could not bind an owner's pages: they are this sub-pool's own");
    }
    require_room(static_cast<std::int64_t>(pages.size()), neighbour);
    place(pages);
    changed();
}

std::vector<PageMove> EndAllocator::free(std::span<const VirtualPage> pages) {
    std::vector<PhysicalPage> freed = unbind(pages);
    std::vector<PageMove> moves;
    switch (compaction_) {
    case Compaction::lazy: holes_.insert(holes_.end(), freed.begin(), freed.end()); break;
    case Compaction::eager: moves = close_band(std::move(freed)); break;
    }
    changed();
    return moves;
}

std::vector<PageMove> EndAllocator::flush() {
    for (const auto& [reader, pages] : std::exchange(pending_, {})) {
        holes_.insert(holes_.end(), pages.begin(), pages.end());
    }
    return flush_some({});
}

std::vector<PageMove> EndAllocator::flush_some(const FlushLimits& limits) {
    absorb_holes();
    std::vector<PageMove> moves = pack(limits);
    absorb_holes();
    changed();
    return moves;
}

void EndAllocator::release(ReaderEvent reader) {
    const auto found = pending_.find(reader);
    if (found == pending_.end()) {
        return;
    }
    holes_.insert(holes_.end(), found->second.begin(), found->second.end());
    pending_.erase(found);
    changed();
}

void EndAllocator::require_room(std::int64_t pages, Bytes neighbour) const {
    if (pages < 0) {
        throw std::logic_error(fmt::format("could not allocate {} pages", pages));
    }
    if (pages <= available_pages(neighbour)) {
        return;
    }
    throw UnavailableError(
        fmt::format(
            "could not allocate {} {} pages: {} are available ({} holes, {} B up to the neighbour "
            "at {} B per page, {} pages left in the grid)",
            pages,
            to_string(grid_.pool.kind),
            available_pages(neighbour),
            hole_pages(),
            gap_bytes(neighbour),
            page_bytes(grid_.pool),
            index_room_pages()
        ),
        "raise --pool-tokens, or lower --batch or --seq-len"
    );
}

void EndAllocator::place(std::span<const VirtualPage> pages) {
    const std::size_t refilled = std::min(holes_.size(), pages.size());
    for (std::size_t i = 0; i < refilled; ++i) {
        tables_.bind(pages[i], holes_[i]);
    }
    holes_.erase(holes_.begin(), holes_.begin() + static_cast<std::ptrdiff_t>(refilled));

    // One ascending run in either direction of growth, so that a single fused launch can bind it.
    const auto extended = static_cast<std::int64_t>(pages.size() - refilled);
    const std::int64_t innermost = watermark().value;
    const std::int64_t start =
        grid_.pool.growth == Growth::up ? innermost : innermost - extended + 1;
    for (std::int64_t i = 0; i < extended; ++i) {
        tables_.bind(pages[refilled + row(i)], {start + i});
    }
    span_pages_ += extended;
}

std::vector<PhysicalPage> EndAllocator::unbind(std::span<const VirtualPage> pages) {
    std::vector<PhysicalPage> freed;
    for (const VirtualPage page : pages) {
        const std::optional<PhysicalPage> home = tables_.unbind(page);
        if (!home) {
            if (is_owner_) {
                throw std::logic_error(
                    fmt::format("could not free virtual page {}: it is not bound", page.value)
                );
            }
            continue;
        }
        freed.push_back(*home);
        if (is_owner_) {
            free_virtual_.push_back(page);
        }
    }
    // Drops the handed-out head now and then; each id is moved at most once per doubling.
    if (free_head_ > free_virtual_.size() / 2) {
        const auto head = free_virtual_.begin() + static_cast<std::ptrdiff_t>(free_head_);
        free_virtual_.erase(free_virtual_.begin(), head);
        free_head_ = 0;
    }
    return freed;
}

std::vector<PageMove> EndAllocator::close_band(std::vector<PhysicalPage> freed) {
    const std::int64_t kept = span_pages_ - std::ssize(freed);
    std::erase_if(freed, [&](PhysicalPage page) { return depth_of(page) >= kept; });
    std::vector<PageMove> moves;
    // As many pages were freed below `kept` as survive above it.
    for (std::int64_t depth = kept; depth < span_pages_; ++depth) {
        const PhysicalPage survivor = page_at(depth);
        if (tables_.is_bound(survivor)) {
            moves.push_back(tables_.move(survivor, freed[moves.size()]));
        }
    }
    span_pages_ = kept;
    return moves;
}

void EndAllocator::absorb_holes() {
    std::ranges::sort(holes_, {}, [this](PhysicalPage page) { return depth_of(page); });
    while (!holes_.empty() && depth_of(holes_.back()) == span_pages_ - 1) {
        holes_.pop_back();
        --span_pages_;
    }
}

std::vector<PageMove> EndAllocator::pack(const FlushLimits& limits) {
    std::vector<PageMove> moves;
    std::size_t next_hole = 0;
    for (std::int64_t depth = span_pages_ - 1; next_hole < holes_.size(); --depth) {
        const PhysicalPage survivor = page_at(depth);
        const bool is_crossed = depth_of(holes_[next_hole]) >= depth;
        if (is_crossed || std::ssize(moves) >= limits.max_moves
            || std::ranges::find(limits.written, survivor) != limits.written.end()) {
            break;
        }
        if (tables_.is_bound(survivor)) {
            moves.push_back(tables_.move(survivor, holes_[next_hole++]));
        }
    }
    holes_.erase(holes_.begin(), holes_.begin() + static_cast<std::ptrdiff_t>(next_hole));
    if (!moves.empty()) {
        std::vector<PhysicalPage>& vacated = limits.reader ? pending_[*limits.reader] : holes_;
        std::ranges::transform(moves, std::back_inserter(vacated), &PageMove::from);
    }
    return moves;
}

void EndAllocator::changed() {
    ++epoch_;
    assert((check_invariants(), true));
}

} // namespace kvprof::workload
