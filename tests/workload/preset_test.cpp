#include "capture/workload/preset.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof::workload {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kMinimal = R"(name = "mine"
provenance = "made up"
layers = 2
query_heads = 4
max_context = 128
[full]
layers = 2
kv_heads = 2
head_dim = 8
element = "fp8"
)";

template<typename Action>
UsageError failure_of(Action action) {
    try {
        action();
    } catch (const UsageError& error) {
        return error;
    }
    return UsageError("no failure");
}

std::string parse_failure(const std::string& text) {
    return failure_of([&] { (void)parse_preset(text, "my.toml"); }).what();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

const std::string kWindow = R"([swa]
layers = 1
kv_heads = 1
head_dim = 8
window = 64
element = "bf16"
)";

const std::string kState = R"([state]
layers = 1
conv_channels = [16]
conv_taps = 3
conv_element = "bf16"
)";

/// With room for one layer of each kind.
std::string three_layers() {
    return replaced(
        replaced(kMinimal, "layers = 2", "layers = 3"), "[full]\nlayers = 2", "[full]\nlayers = 1"
    );
}

} // namespace

TEST(Preset, BuiltInNamesInTheOrderOfTheHelp) {
    std::vector<std::string> names;
    for (const ModelSpec& model : built_in_presets()) {
        names.push_back(model.name);
    }
    EXPECT_THAT(
        names,
        ElementsAre(
            "kimi-linear-48b",
            "falcon-h1-1.5b",
            "gpt-oss-20b",
            "gemma-4-e2b",
            "qwen3.5-0.8b",
            "inkling-small",
            "llama-3.1-8b",
            "qwen3-32b",
            "deepseek-v3",
            "tiny-mla",
            "tiny-gqa",
            "tiny-swa",
            "tiny-tri"
        )
    );
}

TEST(Preset, KimiHasItsPublishedShape) {
    const ModelSpec kimi = load_preset("kimi-linear-48b");
    EXPECT_EQ(kimi.layers, 27);
    EXPECT_EQ(kimi.full.layers, 7);
    EXPECT_EQ(kimi.state.layers, 20);
    EXPECT_EQ(kimi.query_heads, 32);
    EXPECT_EQ(kimi.max_context, 1'048'576);
    EXPECT_THAT(kimi.provenance, HasSubstr("assumed"));
}

TEST(Preset, UnknownNameSuggestsTheNearest) {
    const UsageError error = failure_of([] { (void)load_preset("kimi-linear"); });
    EXPECT_STREQ(error.what(), "could not find preset \"kimi-linear\"");
    EXPECT_THAT(error.hint(), HasSubstr("did you mean kimi-linear-48b?"));
}

TEST(Preset, MissingFileIsNamed) {
    const UsageError error = failure_of([] { (void)load_preset("no/such.toml"); });
    EXPECT_STREQ(error.what(), "could not read preset no/such.toml: there is no such file");
}

TEST(Preset, ReadsTheTextOfAFile) {
    const ModelSpec model = parse_preset(kMinimal, "my.toml");
    EXPECT_EQ(model.name, "mine");
    EXPECT_EQ(entry_bytes(model, StateKind::full, 1), 2 * 2 * 2 * 8);
}

TEST(Preset, SyntaxErrorsCarryLineAndColumn) {
    EXPECT_THAT(parse_failure("name = \"x\"\nlayers = \n"), HasSubstr("preset my.toml:2:10: "));
}

TEST(Preset, UnknownKeysAreErrors) {
    EXPECT_EQ(
        parse_failure(kMinimal + "heads = 3\n"),
        "could not read preset my.toml:11:1: there is no key \"heads\""
    );
}

TEST(Preset, MissingKeysNameTheTable) {
    EXPECT_EQ(
        parse_failure(replaced(kMinimal, "layers = 2\nkv", "kv")),
        "could not read preset my.toml:6:1: the key \"layers\" is missing"
    );
}

TEST(Preset, CountsMustBePositiveWholeNumbers) {
    EXPECT_EQ(
        parse_failure(replaced(kMinimal, "max_context = 128", "max_context = 0")),
        "could not read preset my.toml:5:15: max_context must be a whole number from 1 to 16777216"
    );
    EXPECT_THAT(
        parse_failure(replaced(kMinimal, "head_dim = 8", "head_dim = 8.0")), HasSubstr(":9:12:")
    );
}

TEST(Preset, ElementTypesAreNamed) {
    EXPECT_THAT(
        parse_failure(replaced(kMinimal, "fp8", "int4")),
        HasSubstr("my.toml:10:11: element must be one of fp8, bf16, fp32")
    );
}

TEST(Preset, AttentionHasHeadsOrALatentButNotBoth) {
    EXPECT_THAT(
        parse_failure(kMinimal + "latent_dim = 4\nrope_dim = 2\n"),
        HasSubstr("it needs kv_heads and head_dim, or latent_dim and rope_dim")
    );
}

TEST(Preset, FileIsNoDeviceThatNeverEnds) {
    const UsageError error = failure_of([] { (void)load_preset("/dev/zero"); });
    EXPECT_THAT(error.what(), HasSubstr("could not read preset /dev/zero: it is a folder, a pipe"));
    EXPECT_THAT(error.hint(), HasSubstr("--help-presets"));
}

TEST(Preset, SlidingWindowNeedsItsWindow) {
    EXPECT_THAT(
        parse_failure(
            kMinimal + "[swa]\nlayers = 1\nkv_heads = 1\nhead_dim = 8\nelement = \"bf16\"\n"
        ),
        HasSubstr("my.toml:11:1: the key \"window\" is missing")
    );
}

TEST(Preset, EveryModelSaysWhereItsNumbersAreFrom) {
    for (const ModelSpec& model : built_in_presets()) {
        const bool is_tiny = model.name.starts_with("tiny-");
        EXPECT_EQ(model.provenance == "synthetic", is_tiny) << model.name;
        EXPECT_GE(model.provenance.size(), 9U) << model.name;
    }
}

TEST(Preset, ReadsAllThreeKinds) {
    const ModelSpec model = parse_preset(three_layers() + kWindow + kState, "my.toml");
    EXPECT_EQ(model.full.layers, 1);
    EXPECT_EQ(model.swa.window, 64);
    EXPECT_EQ(model.state.layers, 1);
    EXPECT_FALSE(has_temporal(model.state)); // short convolutions alone
    EXPECT_EQ(entry_bytes(model, StateKind::state, 1), 3 * 16 * 2);
}

TEST(Preset, KindsHaveNoMoreLayersThanTheModel) {
    const std::string two = replaced(three_layers(), "layers = 3", "layers = 2");
    EXPECT_EQ(
        parse_failure(two + kWindow + kState),
        "could not read preset my.toml:3:10: layers 2 is less than the 1 full, 1 swa, 0 shared and "
        "1 "
        "state layers; where a layer has both, [state] says beside_attention = true"
    );
    EXPECT_EQ(parse_preset(two + kWindow + kState + "beside_attention = true\n", "").layers, 2);
    EXPECT_THAT(
        parse_failure("shared_kv_layers = 2\n" + two + kWindow),
        HasSubstr("layers 2 is less than the 1 full, 1 swa, 2 shared and 0 state layers")
    );
}

TEST(Preset, AWindowIsNoLongerThanTheContext) {
    EXPECT_EQ(
        parse_failure(three_layers() + replaced(kWindow, "64", "129")),
        "could not read preset my.toml:15:10: window 129 must not exceed max_context 128"
    );
}

TEST(Preset, FullAttentionHasNoWindow) {
    EXPECT_EQ(
        parse_failure(kMinimal + "window = 8\n"),
        "could not read preset my.toml:11:10: window must not be there: full attention has none"
    );
}

TEST(Preset, KvHeadsDivideTheQueryHeads) {
    EXPECT_EQ(
        parse_failure(replaced(kMinimal, "kv_heads = 2", "kv_heads = 3")),
        "could not read preset my.toml:8:12: kv_heads 3 must divide the model's 4 query heads"
    );
}

TEST(Preset, ATemporalStateHasThreeExtentsAndAnElementType) {
    const std::string model = three_layers() + kState;
    EXPECT_THAT(
        parse_failure(model + "temporal = [4, 8]\ntemporal_element = \"fp32\"\n"),
        HasSubstr("my.toml:16:12: temporal must be [heads, rows, columns]")
    );
    EXPECT_THAT(
        parse_failure(model + "temporal = [4, 8, 8]\n"),
        HasSubstr("the key \"temporal_element\" is missing")
    );
    EXPECT_THAT(
        parse_failure(model + "temporal_element = \"fp32\"\n"),
        HasSubstr("my.toml:16:20: temporal_element needs temporal")
    );
}

TEST(Preset, NegativeNumbersAreNamed) {
    EXPECT_THAT(
        parse_failure(replaced(kMinimal, "head_dim = 8", "head_dim = -8")),
        HasSubstr("my.toml:9:12: head_dim must be a whole number from 1 to 16777216")
    );
}

} // namespace kvprof::workload
