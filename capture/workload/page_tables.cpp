#include "capture/workload/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kvprof::workload {

namespace {

std::size_t row(std::int64_t page) {
    return static_cast<std::size_t>(page);
}

} // namespace

void require_invariant(bool holds, StateKind kind, const char* invariant, std::int64_t value) {
    if (!holds) {
        throw std::logic_error(fmt::format(
            "broken invariant of sub-pool {}: {} ({})", to_string(kind), invariant, value
        ));
    }
}

PageTables::PageTables(std::int64_t virtual_pages, std::int64_t num_pages)
    : v2p_(unbound_table(virtual_pages + 1)),
      p2v_(unbound_table(num_pages + 1)) {}

void PageTables::bind(VirtualPage page, PhysicalPage home) {
    const bool is_in_table = page.value >= 1 && row(page.value) + 1 < v2p_.size();
    if (!is_in_table || v2p_[row(page.value)] != kTombstone) {
        throw std::logic_error(fmt::format(
            "could not bind virtual page {}: it is bound already or outside the table", page.value
        ));
    }
    v2p_[row(page.value)] = home.value;
    p2v_[row(home.value)] = page.value;
    ++bound_pages_;
}

std::optional<PhysicalPage> PageTables::unbind(VirtualPage page) {
    const std::optional<PhysicalPage> home = physical(page);
    if (home) {
        v2p_[row(page.value)] = kTombstone;
        p2v_[row(home->value)] = kTombstone;
        --bound_pages_;
    }
    return home;
}

PageMove PageTables::move(PhysicalPage from, PhysicalPage to) {
    const std::int64_t page = std::exchange(p2v_[row(from.value)], kTombstone);
    v2p_[row(page)] = to.value;
    p2v_[row(to.value)] = page;
    return {from, to};
}

std::optional<PhysicalPage> PageTables::physical(VirtualPage page) const {
    if (page.value < 1 || row(page.value) >= v2p_.size() || v2p_[row(page.value)] == kTombstone) {
        return std::nullopt;
    }
    return PhysicalPage{v2p_[row(page.value)]};
}

bool PageTables::is_bound(PhysicalPage page) const {
    return p2v_[row(page.value)] != kTombstone;
}

void PageTables::check(StateKind kind, PhysicalPage first, std::int64_t count) const {
    require_invariant(
        v2p_.front() == 0 && p2v_.front() == 0, kind, "page 0 maps to 0", v2p_.front()
    );
    require_invariant(
        v2p_.back() == kTombstone && p2v_.back() == kTombstone, kind, "the last row is -1", 0
    );
    std::int64_t bound = 0;
    for (std::int64_t page = 1; row(page) + 1 < v2p_.size(); ++page) {
        const std::int64_t home = v2p_[row(page)];
        if (home != kTombstone) {
            const bool is_in_span = home >= first.value && home < first.value + count;
            require_invariant(is_in_span, kind, "v2p stays in the span", home);
            require_invariant(p2v_[row(home)] == page, kind, "p2v[v2p[v]] == v", page);
            ++bound;
        }
    }
    const auto unbound = std::ranges::count(p2v_, kTombstone);
    require_invariant(bound == bound_pages_, kind, "v2p binds the live pages", bound);
    require_invariant(
        std::ssize(p2v_) - unbound == bound_pages_ + 1, kind, "p2v binds the live pages", unbound
    );
}

} // namespace kvprof::workload
