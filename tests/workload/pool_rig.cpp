#include "tests/workload/pool_rig.h"

#include <algorithm>

namespace kvprof::workload::test {

namespace {

constexpr ReaderEvent kReader{1};

std::size_t slot(StateKind kind) {
    return static_cast<std::size_t>(kind);
}

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

} // namespace

std::vector<SubPool> state_and_full(std::int64_t page_size) {
    return {
        {.kind = StateKind::state,
         .layout = RowLayout::state,
         .growth = Growth::up,
         .entry_bytes = 40},
        {.kind = StateKind::full,
         .layout = RowLayout::mla,
         .growth = Growth::down,
         .entry_bytes = 6,
         .page_size = page_size,
         .mult = 3}};
}

std::vector<SubPool> swa_and_full(std::int64_t page_size) {
    return {
        {.kind = StateKind::swa,
         .growth = Growth::up,
         .entry_bytes = 4,
         .page_size = page_size,
         .mult = 2},
        {.kind = StateKind::full,
         .growth = Growth::down,
         .entry_bytes = 12,
         .page_size = page_size,
         .mult = 4}};
}

std::vector<SubPool> all_three(std::int64_t page_size) {
    auto pools = swa_and_full(page_size);
    pools.front().growth = Growth::floating;
    pools.insert(pools.begin(), state_and_full(page_size).front());
    return pools;
}

PoolRig::PoolRig(std::span<const SubPool> pools, Bytes total, Compaction compaction)
    : chain_(plan_buffer(total, pools), compaction),
      bytes_(at(total.count)),
      live_(3),
      generations_(3) {
    for (const PoolGrid& grid : chain_.layout().grids) {
        generations_[slot(grid.pool.kind)].resize(at(grid.num_pages));
    }
}

void PoolRig::step() {
    const StateKind kind = draw_owner();
    switch (draw(5)) {
    case 0: alloc(kind, draw(chain_.available_pages(kind) / 2)); break;
    case 1: alloc(kind, draw(std::min<std::int64_t>(chain_.schedulable_pages(kind), 12))); break;
    case 2:
    case 3: free(kind, draw_live(kind)); break;
    case 4:
        if (chain_.has(StateKind::swa)) {
            free(StateKind::swa, draw_live(StateKind::full));
            chain_.flush_some(StateKind::swa, {.max_moves = chain_.floating() ? 1 : 0});
        }
        flush_beside_reader();
        break;
    case 5:
        release_readers();
        chain_.flush();
        break;
    default: break;
    }
    move_bytes();
}

void PoolRig::alloc(StateKind kind, std::int64_t pages) {
    if (pages > chain_.available_pages(kind)) {
        reads_.clear();
    }
    const std::vector<VirtualPage> taken = chain_.alloc(kind, pages);
    move_bytes();
    for (const VirtualPage page : taken) {
        ++generations_[slot(kind)][at(page.value)];
        live_[slot(kind)].push_back(page);
        fill(kind, page);
        if (kind == StateKind::full && chain_.has(StateKind::swa)) {
            fill(StateKind::swa, page);
        }
    }
}

void PoolRig::free(StateKind kind, const std::vector<VirtualPage>& pages) {
    chain_.free(kind, pages);
    std::erase_if(live_[slot(kind)], [&](VirtualPage page) {
        return std::ranges::find(pages, page) != pages.end();
    });
    move_bytes();
}

testing::AssertionResult PoolRig::contents_are_intact() const {
    for (const PoolGrid& grid : chain_.layout().grids) {
        const std::span<const std::int64_t> v2p = chain_.tables(grid.pool.kind).v2p();
        for (std::int64_t page = 1; at(page) < v2p.size(); ++page) {
            const std::int64_t home = v2p[at(page)];
            for (std::int64_t i = 0; home > 0 && i < page_bytes(grid.pool); ++i) {
                const std::uint8_t found = bytes_[at(home * page_bytes(grid.pool) + i)];
                if (found != pattern(grid.pool.kind, {page}, i)) {
                    return testing::AssertionFailure()
                           << to_string(grid.pool.kind) << " page " << page << " byte " << i;
                }
            }
        }
    }
    for (const Read& read : reads_) {
        if (!std::ranges::equal(
                read.expected, std::span(bytes_).subspan(at(read.at), read.expected.size())
            )) {
            return testing::AssertionFailure() << "vacated page at byte " << read.at << " is gone";
        }
    }
    return testing::AssertionSuccess();
}

const std::vector<VirtualPage>& PoolRig::live(StateKind kind) const {
    return live_[slot(kind)];
}

std::int64_t PoolRig::draw(std::int64_t most) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most + 1));
}

StateKind PoolRig::draw_owner() {
    return chain_.has(StateKind::state) && draw(1) == 0 ? StateKind::state : StateKind::full;
}

std::vector<VirtualPage> PoolRig::draw_live(StateKind kind) {
    std::vector<VirtualPage> pages = live(kind);
    std::ranges::shuffle(pages, random_);
    pages.resize(at(draw(std::ssize(pages))));
    return pages;
}

std::uint8_t PoolRig::pattern(StateKind kind, VirtualPage page, std::int64_t byte) const {
    const StateKind owner = kind == StateKind::state ? StateKind::state : StateKind::full;
    const std::int64_t generation = generations_[slot(owner)][at(page.value)];
    const auto key = static_cast<std::uint64_t>(
        ((page.value * 3 + static_cast<std::int64_t>(kind)) * 1000 + generation) * 64 + byte
    );
    return static_cast<std::uint8_t>((key * 0x9E3779B97F4A7C15U) >> 56U);
}

void PoolRig::fill(StateKind kind, VirtualPage page) {
    const auto grid =
        std::ranges::find_if(chain_.layout().grids, [kind](const PoolGrid& candidate) {
            return candidate.pool.kind == kind;
        });
    const std::int64_t size = page_bytes(grid->pool);
    const std::int64_t begin = chain_.tables(kind).physical(page).value().value * size;
    for (std::int64_t i = 0; i < size; ++i) {
        bytes_[at(begin + i)] = pattern(kind, page, i);
    }
}

void PoolRig::move_bytes() {
    for (const EnvelopeMove& move : chain_.take_moves()) {
        std::copy_n(&bytes_[at(move.from.count)], move.size.count, &bytes_[at(move.to.count)]);
    }
}

void PoolRig::flush_beside_reader() {
    const EndAllocator& full = chain_.member(StateKind::full);
    std::vector<PhysicalPage> written;
    if (!live(StateKind::full).empty()) {
        written.push_back(full.physical(live(StateKind::full).back()).value());
    }
    chain_.flush_some(
        StateKind::full, {.max_moves = 1 + draw(3), .written = written, .reader = kReader}
    );
    for (const EnvelopeMove& move : chain_.take_moves()) {
        const auto* const source = &bytes_[at(move.from.count)];
        reads_.push_back({move.from.count, {source, source + move.size.count}});
        std::copy_n(source, move.size.count, &bytes_[at(move.to.count)]);
    }
}

void PoolRig::release_readers() {
    chain_.release(kReader);
    reads_.clear();
}

} // namespace kvprof::workload::test
