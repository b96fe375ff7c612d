#include "analyzers/limit_text.h"
#include "analyzers/metric_names.h"
#include "capture/model/error.h"
#include "report/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace kvprof::report {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double kMebibyte = 1024.0 * 1024.0;

ClaimFile read(std::string_view toml) {
    return parse_claims(toml, "claims.toml");
}

Claim sentence(const std::string& text) {
    return read("claims = ['" + text + "']").claims.front();
}

/// {what, hint} of the refusal.
std::pair<std::string, std::string> refusal_of(std::string_view toml) {
    try {
        static_cast<void>(read(toml));
    } catch (const UsageError& error) {
        return {error.what(), error.hint()};
    }
    ADD_FAILURE() << "not refused: " << toml;
    return {};
}

std::pair<std::string, std::string> fault_of(const std::string& text) {
    return refusal_of("claims = ['" + text + "']");
}

TEST(ClaimFile, ReadsEveryKey) {
    const ClaimFile file = read(R"(version = 1
title = "Replace the rectangle by a token stream"
claims = ["step_time same within 1%"]
[[claim]]
that = "graph_memory B-A = -1.0 GiB +- 2 MiB"
text = "frees a gibibyte of graph memory"
case = "batch=64,seq-len=*"
)");
    EXPECT_EQ(file.origin, "claims.toml");
    EXPECT_EQ(file.title, "Replace the rectangle by a token stream");
    ASSERT_EQ(file.claims.size(), 2U);
    EXPECT_EQ(
        file.claims[0],
        (Claim{
            .text = "step_time same within 1%",
            .prose = "",
            .metric = "step_time",
            .cell = "",
            .kind = ClaimKind::same,
            .value = 0.01,
            .is_share = true,
            .line = 3})
    );
    EXPECT_EQ(
        file.claims[1],
        (Claim{
            .text = "graph_memory B-A = -1.0 GiB +- 2 MiB",
            .prose = "frees a gibibyte of graph memory",
            .metric = "graph_memory",
            .cell = "batch=64,seq-len=*",
            .kind = ClaimKind::difference,
            .value = -1024.0 * kMebibyte,
            .tolerance = 2.0 * kMebibyte,
            .line = 5})
    );
}

TEST(ClaimSentence, HasSevenForms) {
    EXPECT_EQ(sentence("launches B-A = -1").kind, ClaimKind::difference);
    EXPECT_EQ(sentence("step_time B/A = -1.5% +- 0.3%").kind, ClaimKind::ratio);
    EXPECT_EQ(sentence("launches A = 27").kind, ClaimKind::base);
    EXPECT_EQ(sentence("launches B = 26").kind, ClaimKind::candidate);
    EXPECT_EQ(sentence("launches same").kind, ClaimKind::same);
    EXPECT_EQ(sentence("step_time improved").kind, ClaimKind::improved);
    EXPECT_EQ(sentence("step_time regressed by 2%").kind, ClaimKind::regressed);
}

TEST(ClaimSentence, TakesTheSignsAndBlanksThatPeopleWrite) {
    const Claim plain = sentence("step_time B-A = -172.5 us +- 3 us");
    EXPECT_EQ(plain.value, -172500.0);
    EXPECT_EQ(plain.tolerance, 3000.0);
    for (const char* text :
         {"step_time B-A=-172.5us+-3us",
          "  step_time   B - A  =  - 172.5 us  +-  3us ",
          "step_time B\u2212A = \u2212172.5\u00a0us \u00b1 3\u00a0us",
          "step_time B\u2013A = -172.5 \u00b5s +/- 3 \u03bcs",
          "step.gpu_time\tB-A = -0.1725 ms +- 3,000 ns"}) {
        const Claim claim = sentence(text);
        EXPECT_EQ(claim.kind, ClaimKind::difference) << text;
        EXPECT_DOUBLE_EQ(claim.value, plain.value) << text;
        EXPECT_EQ(claim.tolerance, plain.tolerance) << text;
    }
}

TEST(ClaimSentence, NamesThePlaceOfAUnitThatDoesNotFit) {
    const auto [what, hint] = refusal_of("[[claim]]\nthat = \"launches B-A = -1 MiB\"");
    EXPECT_THAT(what, StartsWith("claims.toml:2:8: could not read the claims: "));
    EXPECT_THAT(what, HasSubstr("\"MiB\" is no unit of step.launches"));
    EXPECT_THAT(fault_of("step_time B-A = -172 +- 1 us").first, HasSubstr("needs a unit: ns, us"));
    EXPECT_THAT(
        fault_of("step_time B-A = -1 uss +- 1 us").first, HasSubstr("did you mean \"us\"?")
    );
    EXPECT_THAT(fault_of("graph_memory same within 1 us").first, HasSubstr("\"us\" is no unit"));
}

TEST(ClaimSentence, OfAShareIsOfTheRatio) {
    EXPECT_THAT(fault_of("step_time B-A = -1.5% +- 1%").second, HasSubstr("step_time B/A"));
    EXPECT_THAT(fault_of("launches B/A = 0.96").first, HasSubstr("change in percent"));
    EXPECT_THAT(fault_of("step_time B/A = -1.5% +- 3 us").first, HasSubstr("change in percent"));
}

TEST(ClaimSentence, OfWhatVariesNeedsALimit) {
    EXPECT_THAT(fault_of("step_time B/A = -1.5%").first, HasSubstr("varies from run to run"));
    EXPECT_THAT(fault_of("step_time A = 12 ms").second, HasSubstr("step_time A = 12 ms +- ..."));
    EXPECT_THAT(fault_of("step_time same").second, HasSubstr("same within 1 %"));
    EXPECT_THAT(fault_of("step_time same within 0%").first, HasSubstr("never the same within 0"));
    EXPECT_EQ(sentence("launches same within 0").value, 0.0);
}

TEST(ClaimSentence, ThatIsNoneShowsTheForms) {
    for (const char* text :
         {"launches",
          "launches fell",
          "launches B-A -1",
          "launches B = A",
          "launches B-C = 1",
          "launches A/B = 2%",
          "launches same as before",
          "launches sameness",
          "step_time improved a lot"}) {
        EXPECT_THAT(fault_of(text).first, HasSubstr("could not read the claims: ")) << text;
    }
    EXPECT_THAT(fault_of("launches fell").second, HasSubstr("METRIC B-A = VALUE +- VALUE"));
    EXPECT_THAT(fault_of("launches same within -1").first, HasSubstr("below 0"));
    EXPECT_THAT(fault_of("launches B-A = -1 +- -1").first, HasSubstr("below 0"));
    EXPECT_THAT(fault_of("kernels same").second, HasSubstr("op.token-stream.time"));
    EXPECT_THAT(fault_of("step.gap_time improved").first, HasSubstr("better in neither"));
}

TEST(ClaimFile, SuggestsTheNearestWord) {
    EXPECT_THAT(fault_of("step_tme same within 1%").second, HasSubstr("\"step_time\""));
    EXPECT_THAT(fault_of("op.token-steam.time improved").second, HasSubstr("op.token-stream.time"));
    const auto [what, hint] = refusal_of("[[claim]]\nthta = \"launches same\"");
    EXPECT_THAT(what, StartsWith("claims.toml:2:1: "));
    EXPECT_EQ(hint, "did you mean \"that\"?");
    EXPECT_EQ(refusal_of("titel = \"x\"").second, "did you mean \"title\"?");
    EXPECT_THAT(
        refusal_of("[[claim]]\nthat = \"launches same\"\ncase = \"batsh=8\"").second,
        HasSubstr("\"batch\"")
    );
}

TEST(ClaimFile, RefusesWhatIsNone) {
    EXPECT_THAT(refusal_of("claims = = 1").first, StartsWith("claims.toml:1:"));
    EXPECT_THAT(refusal_of("version = 2").first, HasSubstr("reads version 1"));
    EXPECT_THAT(refusal_of("").first, HasSubstr("there is no claim"));
    EXPECT_THAT(refusal_of("claims = []").first, HasSubstr("there is no claim"));
    EXPECT_THAT(refusal_of("claims = \"launches same\"").first, HasSubstr("list of texts"));
    EXPECT_THAT(refusal_of("claims = [3]").first, HasSubstr("a claim must be a text"));
    EXPECT_THAT(refusal_of("[claim]\nthat = \"launches same\"").first, HasSubstr("[[claim]]"));
    EXPECT_THAT(refusal_of("[[claim]]\ntext = \"x\"").first, HasSubstr("\"that\" is missing"));
}

TEST(ClaimExample, IsAClaimFile) {
    const std::string path = std::string(KVPROF_TESTS_DIR) + "/../examples/claims.toml";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    ASSERT_TRUE(file) << path;
    EXPECT_GE(parse_claims(text.str(), path).claims.size(), 4U);
}

TEST(Quantity, HasASignAndAUnitOfTheMetric) {
    using analyzers::Quantity;
    const auto value = [](std::string_view text, std::string_view id) {
        Quantity quantity;
        const std::string cause =
            analyzers::read_quantity(text, *analyzers::find_metric(id), quantity);
        return cause.empty() ? quantity : Quantity{-1.0, true};
    };
    EXPECT_EQ(value("-1.0 GiB", "ledger.graph.bytes"), (Quantity{-1024.0 * kMebibyte, false}));
    EXPECT_EQ(value("+ 65,536", "step.launches"), (Quantity{65536.0, false}));
    EXPECT_EQ(value("-25%", "step.gpu_time"), (Quantity{-0.25, true}));
    EXPECT_EQ(value("0", "ledger.graph.bytes"), Quantity{}) << "0 is 0 in every unit";
    EXPECT_EQ(value("1,23", "step.launches"), (Quantity{-1.0, true}));
    EXPECT_EQ(value("--1", "step.launches"), (Quantity{-1.0, true}));
    EXPECT_EQ(value("", "step.launches"), (Quantity{-1.0, true}));
}

} // namespace
} // namespace kvprof::report
