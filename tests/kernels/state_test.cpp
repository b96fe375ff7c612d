#include "kernels/host/state.h"

#include "kernels/content.h"
#include "tests/reference/reference_backends.h"
#include "tests/support/index_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::StateSlotsCall;
using kvprof::kernels::StateWordsCall;
using kvprof::reference::Ids;
using kvprof::test::IndexBuffer;
using testing::Each;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;

/// Requests 0 .. 5 have slots; lane order is not request order.
struct Slots {
    std::vector<std::int32_t> req_to_state{0, 3, 1, 2, -1, 9};
    Ids rows{2, 0, 1, 4, 5, 3};
    std::vector<std::int32_t> out = std::vector<std::int32_t>(7, -77);

    [[nodiscard]] Ids run(IndexBuffer* v2p) {
        StateSlotsCall call{
            .req_to_state = req_to_state.data(),
            .rows = rows.data(),
            .out = out.data(),
            .batch = 6};
        if (v2p != nullptr) {
            call.v2p = {
                v2p->bytes.data(), v2p->type, static_cast<std::int64_t>(v2p->values().size())};
        }
        host::run(call);
        return {out.begin(), out.end()};
    }

    [[nodiscard]] Ids expected(const Ids& v2p) const {
        auto slots =
            kvprof::reference::state_slots({req_to_state.begin(), req_to_state.end()}, rows, v2p);
        slots.push_back(-77);
        return slots;
    }
};

TEST(StateSlots, P1EqualTheReferenceThroughEitherWidthOfV2p) {
    const Ids v2p{0, 8, -1, 6, 7};
    for (const auto type : {IndexType::i32, IndexType::i64}) {
        IndexBuffer table(v2p, type);
        Slots slots;
        EXPECT_EQ(slots.run(&table), slots.expected(v2p));
    }
}

TEST(StateSlots, ATombstoneIsNotClamped) {
    IndexBuffer v2p({0, 8, -1, 6, 7}, IndexType::i64);
    Slots slots;
    EXPECT_THAT(slots.run(&v2p), ElementsAre(8, 0, 6, -1, -1, -1, -77));
}

TEST(StateSlots, P19AStaticPoolsSlotsAreTakenVerbatim) {
    Slots slots;
    EXPECT_EQ(slots.run(nullptr), slots.expected({}));
}

class StateWords : public testing::Test {
  protected:
    static constexpr std::int64_t kSlotBytes = 24;
    std::vector<std::uint8_t> states = std::vector<std::uint8_t>(6 * kSlotBytes, 0xab);
    std::vector<std::int32_t> slots{4, 0, -1, 2};
    Ids owners{11, 0, 12, 13};
    Ids words = Ids(5, -77);

    StateWordsCall call(bool writes) {
        return {
            .states = states.data(),
            .slot_bytes = kSlotBytes,
            .slots = slots.data(),
            .owners = owners.data(),
            .seed = 5,
            .writes = writes,
            .out = words.data(),
            .batch = 4};
    }

    [[nodiscard]] static std::int64_t word(std::int64_t owner) {
        return static_cast<std::int64_t>(kernels::content_key(5, owner, std::int64_t{1} << 40));
    }
};

TEST_F(StateWords, P21AReadFindsWhatTheOwnerOfTheSlotLeft) {
    host::run(call(true));
    host::run(call(false));
    EXPECT_THAT(words, ElementsAre(word(11), word(0), 0, word(13), -77));
}

TEST_F(StateWords, P21AWrongSlotShows) {
    host::run(call(true));
    std::swap(slots[0], slots[3]);
    host::run(call(false));
    EXPECT_EQ(words[0], word(13));
    EXPECT_NE(word(11), word(13));
}

TEST_F(StateWords, P10AWriteTouchesEightBytesOfItsSlotsAndNoOutput) {
    host::run(call(true));
    EXPECT_THAT(words, Each(-77));
    for (const std::size_t untouched : {1U, 3U, 5U}) {
        for (std::size_t byte = 0; byte < kSlotBytes; ++byte) {
            EXPECT_EQ(states[untouched * kSlotBytes + byte], 0xab);
        }
    }
    EXPECT_EQ(states[4 * kSlotBytes + 8], 0xab);
}

} // namespace
