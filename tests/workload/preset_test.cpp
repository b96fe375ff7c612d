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
            "qwen3.5-0.8b",
            "llama-3.1-8b",
            "deepseek-v3",
            "tiny-mla",
            "tiny-gqa",
            "tiny-swa"
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
        HasSubstr("my.toml:10:11: element must be fp8, bf16 or fp32")
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
    EXPECT_THAT(error.what(), HasSubstr("could not read preset /dev/zero"));
}

TEST(Preset, SlidingWindowNeedsItsWindow) {
    EXPECT_THAT(
        parse_failure(
            kMinimal + "[swa]\nlayers = 1\nkv_heads = 1\nhead_dim = 8\nelement = \"bf16\"\n"
        ),
        HasSubstr("my.toml:11:1: the key \"window\" is missing")
    );
}

} // namespace kvprof::workload
