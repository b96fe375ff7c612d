#include "capture/workload/lanes.h"

#include "capture/workload/window_math.h"
#include "kernels/id_math.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

namespace kvprof::workload {

namespace {

/// One independent stream of random numbers per purpose, so that adding one moves no other.
std::mt19937_64 generator(std::int64_t seed, std::uint32_t purpose) {
    std::seed_seq sequence{
        static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), purpose};
    return std::mt19937_64(sequence);
}

enum Purpose : std::uint32_t {
    kLengths = 1,
    kVirtualPages = 2,
    kHomes = 3,
    kDrafts = 4,
    kHoles = 5,
    kWindowHomes = 6
};

/// Uniform in [0, limit); the same on every standard library, unlike std::uniform_int_distribution.
std::int64_t below(std::mt19937_64& random, std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
}

/// Makes the first `count` values a random draw of all (Fisher-Yates, stopped early).
void draw_first(std::vector<std::int64_t>& values, std::size_t count, std::mt19937_64 random) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto left = static_cast<std::int64_t>(values.size() - i);
        std::swap(values[i], values[i + static_cast<std::size_t>(below(random, left))]);
    }
}

std::int64_t ragged_length(const StepSpec& spec, std::int64_t lane) {
    const std::int64_t ps = spec.page_size;
    const std::int64_t n = spec.seq_len;
    const std::array<std::int64_t, 8> kCycle{
        n, ps, ps + 1, n / 2, 3 * ps, 7 * ps - 3, 1, n - n / 8};
    return std::clamp(kCycle[static_cast<std::size_t>(lane) % kCycle.size()], std::int64_t{1}, n);
}

std::int64_t long_tail_length(std::mt19937_64& random, std::int64_t seq_len) {
    std::int64_t length = seq_len;
    while (length > 1 && (random() & 1U) != 0) {
        length /= 2;
    }
    return length / 2 > 0 ? length / 2 : 1;
}

} // namespace

std::vector<std::int64_t> lane_lengths(const StepSpec& spec) {
    auto random = generator(spec.seed, kLengths);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(spec.batch), spec.seq_len);
    for (std::size_t lane = 0; lane < lengths.size(); ++lane) {
        switch (spec.length_law) {
        case LengthLaw::constant: break;
        case LengthLaw::uniform: lengths[lane] = 1 + below(random, spec.seq_len); break;
        case LengthLaw::ragged:
            lengths[lane] = ragged_length(spec, static_cast<std::int64_t>(lane));
            break;
        case LengthLaw::long_tail:
            lengths[lane] = lane == 0 ? spec.seq_len : long_tail_length(random, spec.seq_len);
            break;
        case LengthLaw::one_long:
            lengths[lane] = lane + 1 == lengths.size() ? spec.long_len : spec.seq_len;
            break;
        }
    }
    return lengths;
}

std::vector<std::int64_t> lane_drafts(const StepSpec& spec) {
    std::vector<std::int64_t> drafts(static_cast<std::size_t>(spec.batch), spec.delta);
    if (spec.verify == VerifyMode::ragged && spec.delta > 0) {
        auto random = generator(spec.seed, kDrafts);
        for (std::int64_t& count : drafts) {
            count = 1 + below(random, spec.delta);
        }
    }
    return drafts;
}

std::int64_t draft_of(const StepPlan& plan, std::int64_t lane) {
    if (lane < plan.spec.batch) {
        return plan.drafts[static_cast<std::size_t>(lane)];
    }
    return plan.spec.verify == VerifyMode::ragged ? 1 : plan.spec.delta;
}

namespace {

/// Steps by which a lane's request is older than lane 0's.
std::int64_t stagger_of(const StepPlan& plan, std::int64_t lane) {
    return lane * plan.phases / plan.spec.batch;
}

std::int64_t age_in_phase(const StepPlan& plan, std::int64_t lane, std::int64_t phase) {
    return (stagger_of(plan, lane) + phase) % plan.phases;
}

} // namespace

std::int64_t length_in_phase(const StepPlan& plan, std::int64_t lane, std::int64_t phase) {
    return plan.base_lens[static_cast<std::size_t>(lane)] + age_in_phase(plan, lane, phase);
}

std::int64_t step_after(const StepPlan& plan, std::int64_t steps) {
    return plan.spec.churn > 0.0 ? steps : 0;
}

std::int64_t steps_in_cycle(const StepPlan& plan) {
    return plan.spec.churn > 0.0 ? 2 * plan.phases : 1; // two generations of requests take turns
}

std::int64_t owner_in_step(const StepPlan& plan, std::int64_t lane, std::int64_t step) {
    const std::int64_t generation =
        plan.spec.churn > 0.0 ? (stagger_of(plan, lane) + step) / plan.phases : 0;
    return 1 + lane + plan.spec.batch * (generation % 2);
}

bool is_replaced(const StepPlan& plan, std::int64_t lane, std::int64_t phase) {
    return age_in_phase(plan, lane, phase) == 0;
}

std::int64_t peak_pages(const StepPlan& plan) {
    std::int64_t pages = 0;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t base = plan.base_lens[static_cast<std::size_t>(lane)];
        const std::int64_t longest = base + plan.phases - 1 + draft_of(plan, lane);
        pages += kernels::pages_of(longest, plan.scheduler_page);
    }
    const std::int64_t shared = plan.shared_tokens / plan.scheduler_page;
    return pages - shared * (plan.spec.batch - 1);
}

namespace {

/// Pages of the first step: lane b holds length_in_phase(b, 0) tokens and its drafts.
std::vector<std::int64_t> pages_to_draw(const StepPlan& plan) {
    std::vector<std::int64_t> counts;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t length = length_in_phase(plan, lane, 0) + draft_of(plan, lane);
        counts.push_back(kernels::pages_of(length, plan.scheduler_page));
    }
    return counts;
}

/// Gives each lane its pages off `order`; the shared prefix is drawn once.
std::size_t deal(const StepPlan& plan, const std::vector<std::int64_t>& order, LanePages& lanes) {
    const auto shared = static_cast<std::size_t>(plan.shared_tokens / plan.scheduler_page);
    std::size_t next = 0;
    for (const std::int64_t count : pages_to_draw(plan)) {
        std::vector<std::int64_t> pages;
        pages.reserve(static_cast<std::size_t>(count));
        if (!lanes.vpages.empty()) {
            const auto& first = lanes.vpages.front();
            pages.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(shared));
        }
        while (pages.size() < static_cast<std::size_t>(count)) {
            pages.push_back(order[next]);
            lanes.bound.push_back(order[next]);
            ++next;
        }
        lanes.vpages.push_back(std::move(pages));
    }
    return next;
}

/// `count` consecutive pages of a sub-pool from the one where its bound pages start.
std::vector<std::int64_t> band_of(const TokenPool& pool, std::int64_t count) {
    std::vector<std::int64_t> pages(static_cast<std::size_t>(count));
    std::iota(
        pages.begin(), pages.end(), pool.grows_up ? pool.first_page : pool.first_page - count + 1
    );
    return pages;
}

/// First page past a band of `count`, in the direction of growth.
std::int64_t page_past(const TokenPool& pool, std::int64_t count) {
    return pool.first_page + (pool.grows_up ? count : -count);
}

/// Widens the band by the pages of a compaction: those farthest out stay bound, and as many further
/// in become holes.
void leave_holes(const StepPlan& plan, std::vector<std::int64_t>& band, LanePages& lanes) {
    const auto count = static_cast<std::size_t>(plan.spec.compact_pages);
    const std::size_t used = band.size() - count;
    if (!plan.full.grows_up) {
        std::reverse(band.begin(), band.end()); // from the innermost page outwards
    }
    lanes.outermost.assign(band.begin() + static_cast<std::ptrdiff_t>(used), band.end());
    std::vector<std::int64_t> places(used);
    std::iota(places.begin(), places.end(), 0);
    draw_first(places, count, generator(plan.spec.seed, kHoles));
    std::vector<bool> is_hole(band.size(), false);
    for (std::size_t i = 0; i < count; ++i) {
        is_hole[static_cast<std::size_t>(places[i])] = true;
    }
    std::vector<std::int64_t> bound;
    for (std::size_t i = 0; i < band.size(); ++i) {
        (is_hole[i] ? lanes.holes : bound).push_back(band[i]);
    }
    std::sort(bound.begin(), bound.end());
    band = std::move(bound);
}

void draw_homes(const StepPlan& plan, LanePages& lanes) {
    const auto held = static_cast<std::int64_t>(lanes.bound.size()) + plan.spec.compact_pages;
    lanes.homes = band_of(plan.full, held);
    if (plan.spec.compact_pages > 0) {
        leave_holes(plan, lanes.homes, lanes);
    }
    if (plan.spec.fragmentation == Fragmentation::random) {
        draw_first(lanes.homes, lanes.homes.size(), generator(plan.spec.seed, kHomes));
    }
    lanes.next_page = page_past(plan.full, held);
}

} // namespace

LanePages draw_pages(const StepPlan& plan) {
    const TokenPool& pool = plan.full;
    std::vector<std::int64_t> order(static_cast<std::size_t>(pool.num_pages - pool.min_page));
    std::iota(order.begin(), order.end(), pool.min_page);
    if (plan.spec.fragmentation != Fragmentation::identity) {
        // Requests come and go: under churn the rest of the free list is drawn too.
        const auto held = static_cast<std::size_t>(peak_pages(plan));
        const std::size_t count =
            plan.spec.churn > 0.0 ? order.size() : std::min(held, order.size());
        draw_first(order, count, generator(plan.spec.seed, kVirtualPages));
    }
    LanePages lanes;
    const std::size_t dealt = deal(plan, order, lanes);
    lanes.free.assign(order.begin() + static_cast<std::ptrdiff_t>(dealt), order.end());
    if (plan.is_unified()) {
        draw_homes(plan, lanes);
    } else {
        lanes.homes = lanes.bound;
    }
    return lanes;
}

WindowPages draw_window_pages(const StepPlan& plan, const LanePages& lanes) {
    WindowPages windows;
    std::vector<bool> is_bound(static_cast<std::size_t>(plan.full.num_pages), false);
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const auto& pages = lanes.vpages[static_cast<std::size_t>(lane)];
        const std::int64_t length = length_in_phase(plan, lane, 0) + draft_of(plan, lane);
        for (auto i = static_cast<std::size_t>(first_window_page(plan, length)); i < pages.size();
             ++i) {
            if (const auto page = static_cast<std::size_t>(pages[i]); !is_bound[page]) {
                is_bound[page] = true; // a page that lanes share is bound once
                windows.vpages.push_back(pages[i]);
            }
        }
    }
    const auto held = static_cast<std::int64_t>(windows.vpages.size());
    windows.homes = band_of(*plan.swa, held);
    if (plan.spec.fragmentation == Fragmentation::random) {
        draw_first(windows.homes, windows.homes.size(), generator(plan.spec.seed, kWindowHomes));
    }
    windows.next_page = page_past(*plan.swa, held);
    return windows;
}

} // namespace kvprof::workload
