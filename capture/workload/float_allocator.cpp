#include "capture/workload/float_allocator.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace kvprof::workload {

namespace {

PageRoom room_in(const PoolGrid& grid, const ByteGap& gap) {
    return room_between(
        gap.low.count, gap.high.count, page_bytes(grid.pool), {grid.min_page, grid.num_pages}
    );
}

[[noreturn]] void
refuse(const PoolGrid& grid, const ByteGap& gap, std::int64_t wanted, std::int64_t available) {
    throw UnavailableError(
        fmt::format(
            "could not place {} {} pages of {} B: {} are available between byte {} and byte {}",
            wanted,
            to_string(grid.pool.kind),
            page_bytes(grid.pool),
            available,
            gap.low.count,
            gap.high.count
        ),
        "raise --pool-tokens, or lower --batch or --seq-len"
    );
}

/// Draws the span back by one page on one side, whose page is bound or not: a bound one goes into a
/// hole or past the other edge.
void draw_back(Side side, bool is_bound, FloatSpan& span) {
    (side == Side::low ? span.low : span.high) += side == Side::low ? 1 : -1;
    if (is_bound && span.hole_pages == 0) {
        (side == Side::low ? span.high : span.low) += side == Side::low ? 1 : -1;
    } else {
        --span.hole_pages; // filled, or given back
    }
}

} // namespace

PhysicalPage centred_page(const PoolGrid& grid, const ByteGap& gap, std::int64_t pages) {
    const PageRoom room = room_in(grid, gap);
    if (pages > room.high - room.low) {
        refuse(grid, gap, pages, std::max<std::int64_t>(room.high - room.low, 0));
    }
    return {room.low + (room.high - room.low - pages) / 2};
}

FloatAllocator::FloatAllocator(const PoolGrid& grid, std::int64_t owner_rows)
    : grid_(grid),
      tables_(owner_rows - 1, grid.num_pages) {}

void FloatAllocator::bind(std::span<const VirtualPage> pages, const ByteGap& gap) {
    const auto wanted = static_cast<std::int64_t>(pages.size());
    if (wanted > available_pages(gap)) {
        refuse(grid_, gap, wanted, available_pages(gap));
    }
    const std::size_t refilled = std::min(holes_.size(), pages.size());
    for (std::size_t i = 0; i < refilled; ++i) {
        tables_.bind(pages[i], holes_[i]);
    }
    holes_.erase(holes_.begin(), holes_.begin() + static_cast<std::ptrdiff_t>(refilled));

    const auto extended = wanted - static_cast<std::int64_t>(refilled);
    if (extended > 0) {
        const PhysicalPage start = start_of_run(extended, gap);
        const bool is_first = low_ == high_;
        for (std::int64_t i = 0; i < extended; ++i) {
            const std::size_t next = refilled + static_cast<std::size_t>(i);
            tables_.bind(pages[next], {start.value + i});
        }
        low_ = is_first ? start.value : std::min(low_, start.value);
        high_ = is_first ? start.value + extended : std::max(high_, start.value + extended);
    }
    changed();
}

void FloatAllocator::free(std::span<const VirtualPage> pages) {
    for (const VirtualPage page : pages) {
        if (const std::optional<PhysicalPage> home = tables_.unbind(page)) {
            holes_.push_back(*home);
        }
    }
    if (is_empty()) {
        holes_.clear();
        low_ = 0;
        high_ = 0;
    }
    changed();
}

void FloatAllocator::flush() {
    absorb();
    changed();
}

std::vector<PageMove> FloatAllocator::make_room(Side side, std::int64_t bytes, const ByteGap& gap) {
    const std::int64_t size = page_bytes(grid_.pool);
    const std::int64_t pages = (bytes + size - 1) / size;
    const std::vector<FloatSpan> reachable = slides(side, gap);
    if (pages >= std::ssize(reachable)) {
        refuse(grid_, gap, live_pages(), std::ssize(reachable) - 1);
    }
    const FloatSpan target = reachable[static_cast<std::size_t>(pages)];
    const std::int64_t edge = side == Side::low ? target.low : target.high;
    const auto is_left = [&](PhysicalPage page) {
        return side == Side::low ? page.value < edge : page.value >= edge;
    };
    const std::vector<PhysicalPage> places = places_past(side, edge);
    std::vector<PageMove> moves;
    for (std::int64_t page = low_; page < high_; ++page) {
        if (is_left({page}) && tables_.is_bound({page})) {
            moves.push_back(tables_.move({page}, places[moves.size()]));
        }
    }
    low_ = target.low;
    high_ = target.high;
    // Places in the span are holes first, and holes in the band are given back.
    std::erase_if(holes_, [&](PhysicalPage page) {
        return is_left(page) || tables_.is_bound(page);
    });
    changed();
    return moves;
}

/// Where pages of the band go: holes outside it, those farthest from `side` first, then the pages
/// past the other edge.
std::vector<PhysicalPage> FloatAllocator::places_past(Side side, std::int64_t edge) const {
    std::vector<PhysicalPage> places;
    std::ranges::copy_if(holes_, std::back_inserter(places), [&](PhysicalPage page) {
        return side == Side::low ? page.value >= edge : page.value < edge;
    });
    std::ranges::sort(places);
    if (side == Side::low) {
        std::ranges::reverse(places);
    }
    for (std::int64_t i = 0; i < live_pages(); ++i) {
        places.push_back(
            side == Side::low ? PhysicalPage{std::max(high_, edge) + i}
                              : PhysicalPage{std::min(low_, edge) - 1 - i}
        );
    }
    return places;
}

std::vector<FloatSpan> FloatAllocator::slides(Side side, const ByteGap& gap) const {
    std::vector<FloatSpan> spans{span()};
    if (is_empty()) {
        return spans;
    }
    const PageRoom room = room_in(grid_, gap);
    std::int64_t page = side == Side::low ? low_ : high_ - 1;
    while (true) {
        FloatSpan next = spans.back();
        // A span without holes moves as a whole, wherever its pages were before.
        const bool is_bound = next.hole_pages == 0 || tables_.is_bound({page});
        draw_back(side, is_bound, next);
        if (next.low < room.low || next.high > room.high) {
            return spans;
        }
        spans.push_back(next);
        page += side == Side::low ? 1 : -1;
    }
}

FloatSpan FloatAllocator::span() const {
    return {.low = low_, .high = high_, .hole_pages = static_cast<std::int64_t>(holes_.size())};
}

Bytes FloatAllocator::edge(Side side) const {
    return {(side == Side::low ? low_ : high_) * page_bytes(grid_.pool)};
}

std::int64_t FloatAllocator::available_pages(const ByteGap& gap) const {
    const PageRoom room = room_in(grid_, gap);
    const std::int64_t larger =
        low_ == high_ ? room.high - room.low : std::max(low_ - room.low, room.high - high_);
    return std::ssize(holes_) + std::max<std::int64_t>(larger, 0);
}

PhysicalPage FloatAllocator::start_of_run(std::int64_t pages, const ByteGap& gap) const {
    if (low_ == high_) {
        return centred_page(grid_, gap, pages);
    }
    const PageRoom room = room_in(grid_, gap);
    const bool goes_low = low_ - room.low > room.high - high_;
    return {goes_low ? low_ - pages : high_};
}

void FloatAllocator::absorb() {
    std::ranges::sort(holes_);
    while (!holes_.empty() && holes_.back().value == high_ - 1) {
        holes_.pop_back();
        --high_;
    }
    auto kept = holes_.begin();
    while (kept != holes_.end() && kept->value == low_) {
        ++kept;
        ++low_;
    }
    holes_.erase(holes_.begin(), kept);
}

void FloatAllocator::changed() {
    ++epoch_;
    assert((check_invariants(), true));
}

void FloatAllocator::check_invariants() const {
    const StateKind kind = grid_.pool.kind;
    tables_.check(kind, {low_}, high_ - low_);
    require_invariant(
        high_ - low_ == live_pages() + std::ssize(holes_),
        kind,
        "span = bound + holes",
        high_ - low_
    );
    require_invariant(
        low_ == high_ || (low_ >= grid_.min_page && high_ <= grid_.num_pages),
        kind,
        "span fits",
        high_
    );
    std::vector<PhysicalPage> holes = holes_;
    std::ranges::sort(holes);
    require_invariant(
        std::ranges::adjacent_find(holes) == holes.end(), kind, "holes are distinct", 0
    );
    for (const PhysicalPage page : holes) {
        require_invariant(
            page.value >= low_ && page.value < high_, kind, "a hole is in the span", page.value
        );
        require_invariant(!tables_.is_bound(page), kind, "a hole is not bound", page.value);
    }
}

} // namespace kvprof::workload
