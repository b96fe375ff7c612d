#include "capture/workload/pool_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kvprof::workload {

namespace {

struct ByteRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

void append_bound_ranges(
    const PageTables& tables, std::int64_t size, std::vector<ByteRange>& ranges
) {
    for (std::size_t page = 1; page < tables.p2v().size(); ++page) {
        if (tables.p2v()[page] != kTombstone) {
            const auto begin = static_cast<std::int64_t>(page) * size;
            ranges.push_back({begin, begin + size});
        }
    }
}

void require_same_ids(const PageTables& full, const PageTables& swa) {
    if (full.v2p().size() != swa.v2p().size()) {
        throw std::logic_error(fmt::format(
            "broken invariant: swa's v2p has {} rows and full's has {}",
            swa.v2p().size(),
            full.v2p().size()
        ));
    }
    for (std::size_t page = 0; page < swa.v2p().size(); ++page) {
        if (swa.v2p()[page] != kTombstone && full.v2p()[page] == kTombstone) {
            throw std::logic_error(
                fmt::format("broken invariant: swa binds virtual page {}, which full freed", page)
            );
        }
    }
}

} // namespace

void PoolChain::check_invariants() const {
    for (const EndAllocator& end : ends_) {
        end.check_invariants();
    }
    const Bytes up = ends_[0].frontier();
    const Bytes down = ends_[1].frontier();
    Bytes low = up; // an empty FLOAT has no edges
    Bytes high = up;
    if (float_) {
        float_->check_invariants();
        low = float_->is_empty() ? up : float_->edge(Side::low);
        high = float_->is_empty() ? up : float_->edge(Side::high);
    }
    const std::array in_order{layout_.sink_floor, up, low, high, down, layout_.total};
    if (!std::ranges::is_sorted(in_order)) {
        throw std::logic_error(fmt::format(
            "broken invariant: sink {} <= up {} <= float {}..{} <= down {} <= buffer {}",
            layout_.sink_floor.count,
            up.count,
            low.count,
            high.count,
            down.count,
            layout_.total.count
        ));
    }
    if (has(StateKind::swa)) {
        require_same_ids(tables(StateKind::full), tables(StateKind::swa));
    }
    for (const PoolGrid& grid : layout_.grids) {
        const StateKind kind = grid.pool.kind;
        const Memo& memo = available_.at(static_cast<std::size_t>(kind));
        if (memo.epoch == epoch() && memo.pages != compute_available(kind)) {
            throw std::logic_error(fmt::format(
                "broken invariant: {} pages of {} are remembered and {} are available",
                memo.pages,
                to_string(kind),
                compute_available(kind)
            ));
        }
    }
}

void PoolChain::audit_bytes() const {
    std::vector<ByteRange> ranges{{0, layout_.sink_floor.count}};
    for (const PoolGrid& grid : layout_.grids) {
        append_bound_ranges(tables(grid.pool.kind), page_bytes(grid.pool), ranges);
    }
    std::ranges::sort(ranges, {}, &ByteRange::begin);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        if (ranges[i].begin < ranges[i - 1].end) {
            throw std::logic_error(fmt::format(
                "broken invariant: bytes {}..{} and {}..{} overlap",
                ranges[i - 1].begin,
                ranges[i - 1].end,
                ranges[i].begin,
                ranges[i].end
            ));
        }
    }
    if (ranges.back().end > layout_.total.count) {
        throw std::logic_error(fmt::format(
            "broken invariant: an envelope ends at {} in a buffer of {} B",
            ranges.back().end,
            layout_.total.count
        ));
    }
}

} // namespace kvprof::workload
