#include "capture/workload/pool_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kvprof::workload {

namespace {

struct ByteRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

void append_bound_ranges(const EndAllocator& end, std::vector<ByteRange>& ranges) {
    const std::int64_t size = page_bytes(end.grid().pool);
    for (std::size_t page = 1; page < end.p2v().size(); ++page) {
        if (end.p2v()[page] != kTombstone) {
            const auto begin = static_cast<std::int64_t>(page) * size;
            ranges.push_back({begin, begin + size});
        }
    }
}

void require_same_ids(const EndAllocator& full, const EndAllocator& swa) {
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
    for (const EndAllocator& end : members_) {
        end.check_invariants();
    }
    const Bytes up = members_.front().frontier();
    const Bytes down = members_.back().frontier();
    if (up < layout_.sink_floor || down < up || layout_.total < down) {
        throw std::logic_error(fmt::format(
            "broken invariant: sink {} <= up {} <= down {} <= buffer {}",
            layout_.sink_floor.count,
            up.count,
            down.count,
            layout_.total.count
        ));
    }
    if (has(StateKind::swa)) {
        require_same_ids(member(StateKind::full), member(StateKind::swa));
    }
    for (const EndAllocator& end : members_) {
        const StateKind kind = end.grid().pool.kind;
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
    for (const EndAllocator& end : members_) {
        append_bound_ranges(end, ranges);
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
