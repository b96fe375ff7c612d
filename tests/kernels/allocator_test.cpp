#include "kernels/host/allocator.h"

#include "tests/reference/reference_ids.h"
#include "tests/support/index_buffer.h"
#include "tests/support/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::V2p;
using kvprof::reference::Ids;
using kvprof::reference::PageTables;
using kvprof::test::below;
using kvprof::test::IndexBuffer;
using testing::Each;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;

std::int64_t length(const Ids& ids) {
    return static_cast<std::int64_t>(ids.size());
}

/// Unbound tables of `pages` pages. p2v has a guard element in front of its first page.
struct Tables {
    IndexBuffer v2p;
    Ids guarded_p2v;

    Tables(std::int64_t pages, IndexType type)
        : v2p(Ids(static_cast<std::size_t>(pages), -1), type),
          guarded_p2v(static_cast<std::size_t>(pages) + 1, -1) {
        guarded_p2v[0] = 555;
    }

    V2p pages() { return {v2p.bytes.data(), v2p.type, length(v2p.values())}; }

    std::int64_t* p2v() { return guarded_p2v.data() + 1; }

    [[nodiscard]] PageTables values() const {
        return {v2p.values(), {guarded_p2v.begin() + 1, guarded_p2v.end()}};
    }

    void bind(const Ids& vpages, const Ids& ppages) {
        host::run(kernels::BindCall{
            .vpages = vpages.data(),
            .ppages = ppages.data(),
            .count = length(vpages),
            .v2p = pages(),
            .p2v = p2v(),
        });
    }

    Ids alloc_bind(const Ids& vpages, std::int64_t start) {
        Ids out(vpages.size());
        host::run(kernels::AllocBindCall{
            .vpages = vpages.data(),
            .count = length(vpages),
            .start = start,
            .v2p = pages(),
            .p2v = p2v(),
            .out = out.data(),
        });
        return out;
    }

    Ids free_unbind(const Ids& vpages) {
        Ids out(vpages.size());
        host::run(kernels::FreeUnbindCall{
            .vpages = vpages.data(),
            .count = length(vpages),
            .v2p = pages(),
            .p2v = p2v(),
            .out = out.data(),
        });
        return out;
    }
};

void expect_same(const Tables& tables, const PageTables& expected) {
    EXPECT_EQ(tables.values().v2p, expected.v2p);
    EXPECT_EQ(tables.values().p2v, expected.p2v);
    EXPECT_EQ(tables.guarded_p2v[0], 555);
}

TEST(Allocator, P9BindFillsBothTables) {
    Tables tables(5, IndexType::i64);
    tables.bind({1, 3}, {4, 2});
    EXPECT_THAT(tables.values().v2p, ElementsAre(-1, 4, -1, 2, -1));
    EXPECT_THAT(tables.values().p2v, ElementsAre(-1, -1, 3, -1, 1));
}

TEST(Allocator, P9AllocBindTakesAnAscendingRun) {
    Tables tables(5, IndexType::i32);
    EXPECT_THAT(tables.alloc_bind({4, 1}, 2), ElementsAre(2, 3));
    EXPECT_THAT(tables.values().v2p, ElementsAre(-1, 3, -1, -1, 2));
    EXPECT_THAT(tables.values().p2v, ElementsAre(-1, -1, 4, 1, -1));
}

TEST(Allocator, P10FreeTombstonesBothTables) {
    Tables tables(5, IndexType::i64);
    tables.bind({1, 3}, {4, 2});
    EXPECT_THAT(tables.free_unbind({3}), ElementsAre(2));
    EXPECT_THAT(tables.values().v2p, ElementsAre(-1, 4, -1, -1, -1));
    EXPECT_THAT(tables.values().p2v, ElementsAre(-1, -1, -1, -1, 1));
}

TEST(Allocator, P10FreeingAnUnboundPageWritesNothingBeforeTheInverseTable) {
    Tables tables(5, IndexType::i64);
    EXPECT_THAT(tables.free_unbind({3}), ElementsAre(-1));
    EXPECT_EQ(tables.guarded_p2v[0], 555);
}

TEST(Allocator, P10ATombstoneBindsNothing) {
    Tables tables(5, IndexType::i64);
    tables.bind({1, 3}, {-1, 2});
    EXPECT_THAT(tables.values().v2p, ElementsAre(-1, -1, -1, 2, -1));
    EXPECT_THAT(tables.values().p2v, ElementsAre(-1, -1, 3, -1, -1));
    EXPECT_EQ(tables.guarded_p2v[0], 555);
}

TEST(Allocator, P10AVirtualPageWithoutARowIsNeitherBoundNorFreed) {
    Tables tables(5, IndexType::i64);
    V2p shorter = tables.pages();
    shorter.rows = 4; // page 4 lies past the table
    const Ids vpages{4, -1};
    const Ids ppages{1, 2};
    Ids out(2);
    host::run(kernels::BindCall{vpages.data(), ppages.data(), 2, shorter, tables.p2v()});
    EXPECT_THAT(tables.values().p2v, Each(-1));
    tables.bind({4}, {3});
    host::run(kernels::FreeUnbindCall{vpages.data(), 2, shorter, tables.p2v(), out.data()});
    EXPECT_THAT(out, ElementsAre(-1, -1));
    EXPECT_THAT(tables.values().v2p, ElementsAre(-1, -1, -1, -1, 3));
    EXPECT_EQ(tables.guarded_p2v[0], 555);
}

TEST(Allocator, P9EmptyInputChangesNothing) {
    Tables tables(5, IndexType::i64);
    tables.bind({}, {});
    tables.alloc_bind({}, 3);
    tables.free_unbind({});
    EXPECT_THAT(tables.values().v2p, Each(-1));
    EXPECT_THAT(tables.values().p2v, Each(-1));
}

void round_trip(IndexType type) {
    constexpr std::int64_t kPages = 500;
    std::mt19937 random(21);
    Tables tables(kPages, type);
    PageTables expected = tables.values();
    Ids free_vpages(kPages);
    std::iota(free_vpages.begin(), free_vpages.end(), std::int64_t{0});
    Ids free_ppages = free_vpages;
    Ids bound;
    const auto take = [&](Ids& list, std::int64_t count) {
        std::shuffle(list.begin(), list.end(), random);
        Ids taken(list.begin(), list.begin() + count);
        list.erase(list.begin(), list.begin() + count);
        return taken;
    };
    const auto give = [](Ids& list, const Ids& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    for (int round = 0; round < 20; ++round) {
        const auto count = below(random, length(free_vpages) + 1);
        const auto vpages = take(free_vpages, count);
        const auto ppages = take(free_ppages, count);
        tables.bind(vpages, ppages);
        expected.bind(vpages, ppages);
        expect_same(tables, expected);

        give(bound, vpages);
        const auto freed = take(bound, below(random, length(bound) + 1));
        const auto homes = tables.free_unbind(freed);
        EXPECT_EQ(homes, expected.free_unbind(freed));
        expect_same(tables, expected);
        give(free_vpages, freed);
        give(free_ppages, homes);
    }
}

TEST(Allocator, P9TwentyRandomRoundsLeaveTheReferencesTables) {
    round_trip(IndexType::i64);
    round_trip(IndexType::i32);
}

Ids decoded(const Ids& lens, const Ids& last_loc, const Ids& free_pages, std::int64_t page_size) {
    Ids out(lens.size());
    host::run(kernels::AllocDecodeCall{
        .lens = lens.data(),
        .last_loc = last_loc.data(),
        .free_pages = free_pages.data(),
        .page_size = page_size,
        .batch = length(lens),
        .out = out.data(),
    });
    return out;
}

TEST(AllocDecode, TakesFreshPagesInLaneOrder) {
    // Lengths 5 and 1 open a page of 4; 2 and 4 continue theirs.
    EXPECT_THAT(decoded({5, 2, 1, 4}, {103, 40, -1, 82}, {9, 7}, 4), ElementsAre(36, 41, 28, 83));
}

TEST(AllocDecode, EqualsTheReferenceOnRandomLengths) {
    std::mt19937 random(8);
    for (const std::int64_t page_size : {1, 3, 16, 64}) {
        Ids lens;
        Ids last_loc;
        Ids free_pages;
        while (lens.size() < 300) {
            lens.push_back(below(random, 200));
            last_loc.push_back(below(random, 9000));
            free_pages.push_back(below(random, 9000));
        }
        EXPECT_EQ(
            decoded(lens, last_loc, free_pages, page_size),
            kvprof::reference::alloc_decode(lens, last_loc, free_pages, page_size)
        );
    }
}

TEST(ZeroPages, ClearsTheListedEnvelopesOnly) {
    std::vector<std::uint8_t> buffer(4 * 8, 0xab);
    const Ids pages{2, 0};
    host::run(kernels::ZeroPagesCall{
        .ppages = pages.data(), .count = 2, .buffer = buffer.data(), .page_bytes = 8});
    for (std::size_t i = 0; i < buffer.size(); ++i) {
        const bool cleared = i / 8 == 0 || i / 8 == 2;
        EXPECT_EQ(buffer[i], cleared ? 0 : 0xab) << "byte " << i;
    }
}

TEST(ZeroPages, ATombstoneHasNoEnvelope) {
    std::vector<std::uint8_t> buffer(2 * 8, 0xab);
    const Ids pages{-1};
    host::run(kernels::ZeroPagesCall{
        .ppages = pages.data(), .count = 1, .buffer = buffer.data() + 8, .page_bytes = 8});
    EXPECT_THAT(buffer, Each(0xab));
}

} // namespace
