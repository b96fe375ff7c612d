#include "capture/workload/model_spec.h"

#include "capture/model/error.h"
#include "capture/workload/preset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace kvprof::workload {

namespace {

struct Figures {
    std::string preset;
    std::int64_t tp;
    std::int64_t full_bytes;
    std::int64_t swa_bytes;
    std::int64_t state_bytes;
    std::int64_t full_mult;
    std::int64_t swa_mult;
};

class PresetFigures : public testing::TestWithParam<Figures> {};

std::string figures_name(const testing::TestParamInfo<Figures>& info) {
    std::string name = info.param.preset + "_tp" + std::to_string(info.param.tp);
    std::ranges::replace_if(
        name, [](char c) { return c == '-' || c == '.'; }, '_'
    );
    return name;
}

} // namespace

TEST_P(PresetFigures, BytesPerTokenStateBytesAndMult) {
    const Figures& expected = GetParam();
    const ModelSpec model = load_preset(expected.preset);
    EXPECT_EQ(entry_bytes(model, StateKind::full, expected.tp), expected.full_bytes);
    EXPECT_EQ(entry_bytes(model, StateKind::swa, expected.tp), expected.swa_bytes);
    EXPECT_EQ(entry_bytes(model, StateKind::state, expected.tp), expected.state_bytes);
    EXPECT_EQ(mult_of(model, StateKind::full), expected.full_mult);
    EXPECT_EQ(mult_of(model, StateKind::swa), expected.swa_mult);
}

INSTANTIATE_TEST_SUITE_P(
    BuiltIn,
    PresetFigures,
    testing::Values(
        Figures{"kimi-linear-48b", 1, 8'064, 0, 43'417'600, 7, 0},
        Figures{"kimi-linear-48b", 2, 8'064, 0, 21'708'800, 7, 0},
        Figures{"falcon-h1-1.5b", 1, 24'576, 0, 76'013'568, 48, 0},
        Figures{"gpt-oss-20b", 1, 24'576, 24'576, 0, 24, 24},
        Figures{"gpt-oss-20b", 4, 6'144, 6'144, 0, 24, 24},
        Figures{"gemma-4-e2b", 1, 6'144, 12'288, 0, 6, 24},
        Figures{"qwen3.5-0.8b", 1, 12'288, 0, 19'537'920, 12, 0},
        Figures{"inkling-small", 1, 28'672, 143'360, 2'580'480, 14, 70},
        Figures{"inkling-small", 4, 7'168, 35'840, 645'120, 14, 70},
        Figures{"llama-3.1-8b", 1, 131'072, 0, 0, 64, 0},
        Figures{"llama-3.1-8b", 16, 16'384, 0, 0, 64, 0}, // 8 heads on 16 ranks: one each
        Figures{"qwen3-32b", 1, 262'144, 0, 0, 128, 0},
        Figures{"deepseek-v3", 1, 70'272, 0, 0, 61, 0},
        Figures{"deepseek-v3", 8, 70'272, 0, 0, 61, 0},
        Figures{"tiny-mla", 1, 256, 0, 2 * (3 * 192 * 2 + 4 * 16 * 16 * 4), 2, 0},
        Figures{"tiny-gqa", 1, 1'024, 0, 0, 4, 0},
        Figures{"tiny-swa", 1, 512, 512, 0, 2, 2},
        Figures{"tiny-tri", 1, 512, 1'024, 3 * 3 * 256 * 2, 2, 4}
    ),
    figures_name
);

TEST(ModelSpec, StateOfOneSlotOutweighsThousandsOfTokens) {
    const auto tokens_in_a_slot = [](const char* preset, std::int64_t tp) {
        const ModelSpec model = load_preset(preset);
        const std::int64_t token =
            entry_bytes(model, StateKind::full, tp) + entry_bytes(model, StateKind::swa, tp);
        return (entry_bytes(model, StateKind::state, tp) + token - 1) / token;
    };
    EXPECT_EQ(tokens_in_a_slot("kimi-linear-48b", 1), 5'385);
    EXPECT_EQ(tokens_in_a_slot("kimi-linear-48b", 2), 2'693);
    EXPECT_EQ(tokens_in_a_slot("falcon-h1-1.5b", 1), 3'093);
    EXPECT_EQ(tokens_in_a_slot("qwen3.5-0.8b", 1), 1'590);
    EXPECT_EQ(tokens_in_a_slot("inkling-small", 1), 15);
}

TEST(ModelSpec, GemmaWouldHoldTwiceAsMuchIfNoLayerShared) {
    ModelSpec gemma = load_preset("gemma-4-e2b");
    EXPECT_EQ(gemma.full.layers + gemma.swa.layers + gemma.shared_kv_layers, gemma.layers);
    gemma.full.layers = 7;
    gemma.swa.layers = 28;
    EXPECT_EQ(entry_bytes(gemma, StateKind::full, 1), 14'336);
    EXPECT_EQ(entry_bytes(gemma, StateKind::swa, 1), 28'672);
}

TEST(ModelSpec, Fp8HalvesTheBytesOfAToken) {
    ModelSpec model = load_preset("llama-3.1-8b");
    model.full.element = ElementType::fp8;
    EXPECT_EQ(entry_bytes(model, StateKind::full, 1), 131'072 / 2);
}

TEST(ModelSpec, ARankHoldsAtLeastOneHead) {
    EXPECT_EQ(heads_per_rank(8, 2), 4);
    EXPECT_EQ(heads_per_rank(2, 8), 1);
}

TEST(ModelSpec, StateOfAReplicatedHeadKeepsThatHeadsChannels) {
    const ModelSpec model = load_preset("tiny-mla");
    EXPECT_EQ(entry_bytes(model, StateKind::state, 4), entry_bytes(model, StateKind::state, 8));
}

TEST(ModelSpec, RefusesConvolutionsThatDoNotDivide) {
    try {
        (void)entry_bytes(load_preset("inkling-small"), StateKind::state, 3);
        FAIL() << "10240 channels on 3 ranks";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "could not divide 10240 convolution channels over 3 ranks");
    }
}

TEST(ModelSpec, RefusesHeadsThatDoNotDivide) {
    EXPECT_THROW((void)heads_per_rank(32, 3), UsageError);
    EXPECT_THROW((void)heads_per_rank(32, 0), UsageError);
}

TEST(UnifiedSubPools, StateGrowsUpAndFullGrowsDown) {
    const auto pools = unified_sub_pools(load_preset("kimi-linear-48b"), 2, 64);
    ASSERT_EQ(pools.size(), 2U);
    EXPECT_EQ(pools[0].kind, StateKind::state);
    EXPECT_EQ(pools[0].growth, Growth::up);
    EXPECT_EQ(pools[0].page_size, 1);
    EXPECT_EQ(pools[0].request_slots, 3);
    EXPECT_EQ(pools[1].kind, StateKind::full);
    EXPECT_EQ(pools[1].growth, Growth::down);
    EXPECT_EQ(page_bytes(pools[1]), 64 * 8'064);
    EXPECT_EQ(row_bytes(pools[1]), 576 * 2);
}

TEST(UnifiedSubPools, OneRequestNeedsTheWindowAndOnePage) {
    const auto pools = unified_sub_pools(load_preset("gpt-oss-20b"), 1, 16);
    EXPECT_EQ(pools[0].kind, StateKind::swa);
    EXPECT_EQ(pools[0].request_slots, 128 + 16);
    EXPECT_FALSE(pools[0].is_synthetic);
}

TEST(UnifiedSubPools, FullAttentionAloneGetsASyntheticSecondEnd) {
    const auto pools = unified_sub_pools(load_preset("llama-3.1-8b"), 1, 16);
    EXPECT_EQ(pools[0].kind, StateKind::state);
    EXPECT_EQ(pools[0].entry_bytes, 1 << 20);
    EXPECT_TRUE(pools[0].is_synthetic);
}

TEST(UnifiedSubPools, WindowsOfAModelOfAllKindsFloat) {
    const auto pools = unified_sub_pools(load_preset("inkling-small"), 4, 64);
    ASSERT_EQ(pools.size(), 3U);
    EXPECT_EQ(pools[0].kind, StateKind::state);
    EXPECT_EQ(pools[0].growth, Growth::up);
    EXPECT_EQ(pools[0].request_slots, 3);
    EXPECT_EQ(pools[1].kind, StateKind::swa);
    EXPECT_EQ(pools[1].growth, Growth::floating);
    EXPECT_EQ(pools[1].request_slots, 512 + 64);
    EXPECT_EQ(pools[2].kind, StateKind::full);
    EXPECT_EQ(pools[2].growth, Growth::down);
}

} // namespace kvprof::workload
