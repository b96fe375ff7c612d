#include "capture/workload/end_allocator.h"
#include "kernels/host/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace kvprof::workload {

namespace {

constexpr Bytes kTop{4000};

std::vector<std::int64_t> values_of(std::span<const VirtualPage> pages) {
    std::vector<std::int64_t> values;
    std::ranges::transform(pages, std::back_inserter(values), &VirtualPage::value);
    return values;
}

/// The allocator beside a copy of its tables that only the kernels' host twins change.
class RoundTrip {
  public:
    RoundTrip()
        : v2p_(end_.v2p().begin(), end_.v2p().end()),
          p2v_(v2p_) {}

    void alloc(std::int64_t count) {
        const std::vector<VirtualPage> taken = end_.alloc(count, kTop);
        std::vector<std::int64_t> vpages = values_of(taken);
        std::vector<std::int64_t> ppages;
        for (const VirtualPage page : taken) {
            ppages.push_back(end_.physical(page).value().value);
            homes_[page] = end_.physical(page).value();
        }
        kernels::host::run(kernels::BindCall{
            .vpages = vpages.data(),
            .ppages = ppages.data(),
            .count = count,
            .v2p = {.data = v2p_.data(), .rows = std::ssize(v2p_)},
            .p2v = p2v_.data()});
    }

    void free_random(std::mt19937_64& random) {
        std::vector<VirtualPage> pages;
        for (const auto& [page, home] : homes_) {
            pages.push_back(page);
        }
        std::ranges::shuffle(pages, random);
        pages.resize(pages.size() / 2);
        const std::vector<std::int64_t> vpages = values_of(pages);
        freed_.assign(pages.size(), 0);
        kernels::host::run(kernels::FreeUnbindCall{
            .vpages = vpages.data(),
            .count = std::ssize(pages),
            .v2p = {.data = v2p_.data(), .rows = std::ssize(v2p_)},
            .p2v = p2v_.data(),
            .out = freed_.data()});
        (void)end_.free(pages);
        for (const VirtualPage page : pages) {
            homes_.erase(page);
        }
    }

    void expect_agreement() const {
        end_.check_invariants();
        EXPECT_TRUE(std::ranges::equal(end_.v2p(), v2p_));
        EXPECT_TRUE(std::ranges::equal(end_.p2v(), p2v_));
        EXPECT_EQ(end_.live_pages(), std::ssize(homes_));
        for (const auto& [page, home] : homes_) {
            EXPECT_EQ(end_.physical(page), home) << "live page " << page.value;
        }
        const auto last_holes = end_.holes().last(freed_.size());
        EXPECT_TRUE(std::ranges::equal(last_holes, freed_, {}, &PhysicalPage::value));
    }

  private:
    EndAllocator end_{
        {.pool = {.growth = Growth::up, .entry_bytes = 4},
         .num_pages = 1000,
         .min_slot = 1,
         .min_page = 1},
        Compaction::lazy};
    std::vector<std::int64_t> v2p_;
    std::vector<std::int64_t> p2v_;
    std::map<VirtualPage, PhysicalPage> homes_;
    std::vector<std::int64_t> freed_;
};

} // namespace

TEST(AllocatorRoundTrip, P9TwentyRoundsMatchTheKernelsAndDisturbNoLiveBinding) {
    RoundTrip pool;
    std::mt19937_64 random(9);
    for (int round = 0; round < 20; ++round) {
        SCOPED_TRACE(round);
        pool.alloc(1 + static_cast<std::int64_t>(random() % 60));
        pool.free_random(random);
        pool.expect_agreement();
    }
}

} // namespace kvprof::workload
