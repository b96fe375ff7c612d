#include "capture/import/call_index.h"

#include "capture/model/api_names.h"

#include <algorithm>

namespace kvprof::import {

namespace {

void put_in_order(Recorded& recorded) {
    const auto key = [&](const Record& call) {
        return (std::uint64_t{recorded.lanes[call.lane].process} << 32U) | call.correlation;
    };
    const auto comes_before = [&](const Record& a, const Record& b) {
        const std::uint64_t key_a = key(a);
        const std::uint64_t key_b = key(b);
        return key_a != key_b ? key_a < key_b : a.start < b.start;
    };
    const auto begin = recorded.calls.begin();
    const auto end = recorded.calls.end();
    if (!std::is_sorted(begin, end, comes_before)) {
        std::sort(begin, end, comes_before);
    }
}

} // namespace

CallIndex::CallIndex(Recorded& recorded)
    : recorded_(&recorded),
      families_(recorded.names.size(), ApiKind::other) {
    put_in_order(recorded);
    std::vector<bool> is_known(families_.size());
    for (const Record& call : recorded.calls) {
        if (!is_known[call.what]) {
            is_known[call.what] = true;
            families_[call.what] = classify_api(recorded.names.text(call.what));
        }
    }
}

CallGroup CallIndex::group_at(std::size_t begin) const {
    CallGroup group{.begin = begin, .end = begin, .start = call(begin).start};
    const bool stands_alone = call(begin).correlation == WideValues::kNone;
    const std::uint64_t own_key = key(begin);
    do {
        const ApiKind kind = family(call(group.end));
        group.has_launch = group.has_launch || kind == ApiKind::kernel_launch;
        group.has_graph_launch = group.has_graph_launch || kind == ApiKind::graph_launch;
        ++group.end;
    } while (!stands_alone && group.end < size() && key(group.end) == own_key);
    return group;
}

CallGroup CallIndex::find(std::uint32_t process, std::uint32_t correlation) {
    const std::uint64_t wanted = (std::uint64_t{process} << 32U) | correlation;
    std::size_t low = 0;
    std::size_t high = size();
    // Work is asked for about in the order of its launches: steps that double from the last place.
    if (last_ < high && key(last_) < wanted) {
        low = last_ + 1;
        std::size_t step = 1;
        while (low + step < high && key(low + step) < wanted) {
            low += step;
            step *= 2;
        }
        high = std::min(high, low + step + 1);
    } else if (last_ < high) {
        high = last_;
        std::size_t step = 1;
        while (high > step && key(high - step) >= wanted) {
            high -= step;
            step *= 2;
        }
        low = high > step ? high - step : 0;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (key(middle) < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low >= size() || key(low) != wanted) {
        return {};
    }
    last_ = low;
    constexpr std::size_t kLarge = 64;
    if (low + kLarge >= size() || key(low + kLarge) != wanted) {
        return group_at(low);
    }
    const auto [known, is_new] = large_.try_emplace(low);
    if (is_new) {
        known->second = group_at(low);
    }
    return known->second;
}

} // namespace kvprof::import
