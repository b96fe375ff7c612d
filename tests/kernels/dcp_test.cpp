#include "kernels/host/dcp.h"

#include "kernels/host/write_loc.h"
#include "tests/kernels/dcp_case.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::LocalLensCall;
using kvprof::reference::Ids;
using kvprof::reference::Rank;
using kvprof::test::DcpCase;
using kvprof::test::kPoison;
using kvprof::test::random_dcp_cases;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

TEST(LocalLens, P17EqualTheReferenceForEveryDcpSizeAndRank) {
    const Ids lens{0, 1, 2, 3, 7, 8, 4096, 4099};
    for (std::int64_t dcp = 1; dcp <= 4; ++dcp) {
        for (std::int64_t rank = 0; rank < dcp; ++rank) {
            std::vector<std::int32_t> out(lens.size() + 1, kPoison);
            host::run(LocalLensCall{
                .lens = {lens.data(), IndexType::i64},
                .out = out.data(),
                .dcp = dcp,
                .rank = rank,
                .batch = static_cast<std::int64_t>(lens.size())});
            auto expected = reference::local_lens(lens, {}, {dcp, rank});
            expected.push_back(kPoison);
            EXPECT_EQ(Ids(out.begin(), out.end()), expected) << "rank " << rank << " of " << dcp;
        }
    }
}

TEST(LocalLens, CountWidenedTokensAndNoneOfAnEmptyLane) {
    const std::vector<std::int32_t> lens{5, -7};
    std::vector<std::int32_t> out(2, kPoison);
    host::run(LocalLensCall{
        .lens = {lens.data(), IndexType::i32}, .delta = 2, .out = out.data(), .dcp = 4, .batch = 2}
    );
    EXPECT_THAT(out, ElementsAre(2, 0)); // positions 0 and 4 of 7
}

TEST(DcpGather, P17GivesItsRanksLocalIdsOn40RandomCases) {
    for (auto& dcp : random_dcp_cases(40)) {
        host::run(dcp.gather());
        EXPECT_EQ(dcp.ids.values(), dcp.expected_virtual()) << "seed " << dcp.read.spec.seed;
    }
}

/// Ids of all ranks, put back in order of position: the widened ids again.
Ids united(const std::vector<Ids>& ranks) {
    Ids all;
    const std::size_t dcp = ranks.size();
    for (std::size_t position = 0; position / dcp < ranks[position % dcp].size(); ++position) {
        const auto id = ranks[position % dcp][position / dcp];
        const auto rank = static_cast<std::int64_t>(position % dcp);
        all.push_back(id < 0 ? -1 : id * static_cast<std::int64_t>(dcp) + rank);
    }
    return all;
}

TEST(DcpGather, P17TheUnionOverRanksIsTheFullStream) {
    for (std::int64_t dcp = 1; dcp <= 4; ++dcp) {
        for (const std::int64_t page_size : {1, 3, 16}) {
            const kvprof::test::ReadCaseSpec spec{
                .page_size = page_size, .lens = {331}, .hole_percent = 10};
            std::vector<Ids> ranks;
            Ids full;
            for (std::int64_t rank = 0; rank < dcp; ++rank) {
                DcpCase one(spec, {dcp, rank}, IndexType::i32);
                host::run(one.gather());
                ranks.push_back(one.ids.values());
                ranks.back().resize(static_cast<std::size_t>(one.tokens()));
                full = reference::static_gather(kvprof::test::reference_inputs(one.read), {});
            }
            EXPECT_EQ(united(ranks), full) << "dcp " << dcp << " ps " << page_size;
        }
    }
}

TEST(DcpGather, P4StopsAtTheCapacityAndAtTheColumnsOfReqToToken) {
    DcpCase dcp({.lens = {40, 40}, .req_columns = 21}, {2, 1}, IndexType::i32);
    auto call = dcp.gather();
    call.capacity = 25;
    host::run(call);
    const auto ids = dcp.ids.values();
    EXPECT_NE(ids[9], kPoison); // positions 1, 3 .. 19 of 21 columns
    EXPECT_EQ(ids[10], kPoison);
    EXPECT_NE(ids[24], kPoison);
    EXPECT_EQ(ids[25], kPoison);
}

TEST(DcpGather, ANegativeStartEmitsNothing) {
    DcpCase dcp({.lens = {8}, .starts = {2}}, {2, 0}, IndexType::i32);
    const Ids before_the_row{-3};
    auto call = dcp.gather();
    call.starts = {before_the_row.data(), IndexType::i64};
    host::run(call);
    EXPECT_THAT(dcp.ids.values(), testing::Each(kPoison));
}

TEST(StreamTranslate, P7EqualsTheTranslatedLocalIdsOn40RandomCases) {
    for (auto& dcp : random_dcp_cases(40)) {
        host::run(dcp.gather());
        host::run(dcp.translate());
        EXPECT_EQ(dcp.ids.values(), dcp.expected_translated()) << "seed " << dcp.read.spec.seed;
    }
}

TEST(StreamTranslate, P7GivesTheWriteLocationOfEveryTokenOfTheRank) {
    for (std::int64_t rank = 0; rank < 3; ++rank) {
        DcpCase dcp(
            {.page_size = 4, .mult = 7, .lens = {100}, .tombstone_percent = 20},
            {3, rank},
            IndexType::i64
        );
        host::run(dcp.gather());
        host::run(dcp.translate());
        const auto widened = reference::static_gather(reference_inputs(dcp.read), {});
        Ids written(widened.size());
        const auto lanes = dcp.read.lanes();
        host::run(kvprof::kernels::WriteLocCall{
            .loc = widened.data(),
            .v2p = lanes.v2p,
            .mult = lanes.mult,
            .page_size = dcp.page_size,
            .count = 100,
            .out = written.data(),
            .out_count = 100,
            .dcp = 3,
            .rank = rank});
        const auto ids = dcp.ids.values();
        for (std::size_t position = 0; position < written.size(); ++position) {
            const bool is_own = static_cast<std::int64_t>(position) % 3 == rank;
            EXPECT_EQ(written[position], is_own ? ids[position / 3] : 0);
        }
    }
}

TEST(StreamTranslate, P10AHoleIsTheSinkThoughPageZeroLiesElsewhere) {
    std::vector<std::int64_t> v2p{10, 20};
    std::vector<std::int64_t> ids{-1, 1, 6, -3};
    const std::vector<std::int32_t> indptr{0, 4};
    host::run(kvprof::kernels::StreamTranslateCall{
        .indptr = indptr.data(),
        .ids = {ids.data()},
        .capacity = 4,
        .v2p = {.data = v2p.data(), .rows = 2},
        .mult = 3,
        .page_size = 4,
        .batch = 1});
    EXPECT_THAT(ids, ElementsAre(0, 121, 242, 0));
}

TEST(StreamTranslate, P14KeepsIdsInsideThePool) {
    DcpCase dcp(
        {.page_size = 4,
         .mult = 7,
         .lens = {700, 3},
         .hole_percent = 10,
         .tombstone_percent = 10,
         .foreign_percent = 10},
        {2, 1},
        IndexType::i32
    );
    host::run(dcp.gather());
    host::run(dcp.translate());
    const auto pages = static_cast<std::int64_t>(dcp.read.v2p.values().size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(dcp.tokens()); ++i) {
        EXPECT_GE(dcp.ids.values()[i], 0);
        EXPECT_LT(dcp.ids.values()[i], pages * 7 * 4);
    }
}

TEST(StreamTranslate, P3StopsAtTheCapacity) {
    DcpCase dcp({.lens = {20}}, {1, 0}, IndexType::i32);
    host::run(dcp.gather());
    auto call = dcp.translate();
    call.capacity = 8;
    call.mult = 1000;
    const auto before = dcp.ids.values();
    host::run(call);
    EXPECT_NE(dcp.ids.values()[7], before[7]);
    EXPECT_EQ(dcp.ids.values()[8], before[8]);
}

} // namespace
