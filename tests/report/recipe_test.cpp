#include "report/recipe.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace kvprof::report {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

Recipe small_recipe() {
    Recipe recipe;
    recipe.sides = {{"@latest", "e1", {}}};
    recipe.day = "2026-11-29";
    return recipe;
}

/// Every field differs from its default.
Recipe full_recipe() {
    Recipe recipe;
    recipe.format = Format::csv;
    recipe.table = CsvTable::kernels;
    recipe.sides = {
        {"baseline/main", "", {"r1", "r2"}}, {"@latest/index-mode=stream", "e2", {"r3"}}};
    recipe.by = "index-mode";
    recipe.is_gate = true;
    recipe.is_stored_baseline = true;
    recipe.allows_single_layout = true;
    recipe.on_inconclusive = "warn";
    recipe.treatment = {"delay-us"};
    recipe.allowed_mismatch = {"batch", "device-name"};
    recipe.is_strict_env = true;
    recipe.is_unpaired = true;
    recipe.day = "2026-11-29";
    recipe.step = 3;
    recipe.policy = EmbeddedFile{"kvprof.toml", "version = 1\n"};
    recipe.claims = EmbeddedFile{"claims.toml", "claims = [\"launches B-A = -1\"]\n"};
    recipe.calibrations = {"c1"};
    return recipe;
}

/// {what, hint} of the refusal.
std::pair<std::string, std::string> refusal_of(std::string_view json) {
    try {
        static_cast<void>(parse_recipe(json));
    } catch (const UsageError& error) {
        return {error.what(), error.hint()};
    }
    ADD_FAILURE() << "not refused: " << json;
    return {};
}

TEST(Recipe, ReadsBackWhatItWrote) {
    EXPECT_EQ(parse_recipe(recipe_json(small_recipe())), small_recipe());
    EXPECT_EQ(parse_recipe(recipe_json(full_recipe())), full_recipe());
}

TEST(Recipe, SaysOnlyWhatIsNotAsUsual) {
    EXPECT_EQ(
        recipe_json(small_recipe()),
        R"({"schema":"kvprof.recipe/1","format":"md",)"
        R"("sides":[{"label":"@latest","experiment":"e1"}],"day":"2026-11-29"})"
    );
}

TEST(Recipe, CanStandInACommentAndInAScript) {
    Recipe recipe = small_recipe();
    recipe.sides.front().label = "--> </script> <!-- --!>";
    recipe.policy = EmbeddedFile{"a\nb.toml", "# \xc3\xa4 \"quoted\"\r\n"};
    const std::string json = recipe_json(recipe);
    for (const char* ends : {"<", ">", "\n", "\r"}) {
        EXPECT_THAT(json, Not(HasSubstr(ends)));
    }
    EXPECT_EQ(parse_recipe(json), recipe);
}

TEST(Recipe, OfBytesThatAreNoUtf8IsStillARecipe) {
    Recipe recipe = small_recipe();
    recipe.sides.front().label = "a\xff";
    const Recipe read = parse_recipe(recipe_json(recipe));
    EXPECT_EQ(read.sides.front().label, "a\xef\xbf\xbd");
    EXPECT_EQ(report_id(read), report_id(recipe));
}

TEST(Recipe, OfAnotherVersionNamesWhatReadsIt) {
    const auto [what, hint] = refusal_of(R"({"schema":"kvprof.recipe/2"})");
    EXPECT_THAT(what, HasSubstr("kvprof.recipe/2, and this program reads kvprof.recipe/1"));
    EXPECT_THAT(hint, HasSubstr("the version of kvprof that wrote the report"));
}

TEST(Recipe, WithAMemberThatIsNotKnownIsRefused) {
    std::string json = recipe_json(small_recipe());
    json.insert(json.size() - 1, R"(,"smoothing":true)");
    EXPECT_THAT(refusal_of(json).first, HasSubstr("does not know its member \"smoothing\""));
}

TEST(Recipe, ThatIsDamagedSaysSo) {
    const std::string json = recipe_json(small_recipe());
    EXPECT_THAT(refusal_of(json.substr(0, 40)).first, HasSubstr("it is no JSON"));
    EXPECT_THAT(refusal_of(json.substr(0, 40)).second, HasSubstr("copy the report again"));
    const std::string text_step = json.substr(0, json.size() - 1) + R"(,"step":"3"})";
    EXPECT_THAT(refusal_of(text_step).first, HasSubstr("\"step\" is no whole number"));
    EXPECT_THAT(refusal_of("[]").first, HasSubstr("it is no kvprof.recipe/1"));
    EXPECT_THAT(refusal_of(R"({"schema":"kvprof.recipe/1","sides":[]})").first, HasSubstr("sides"));
    const std::string head = R"({"schema":"kvprof.recipe/1","format":"md","sides":[{"label":"a")";
    EXPECT_THAT(refusal_of(head + "}]}").first, HasSubstr("names no runs"));
    EXPECT_THAT(refusal_of(head + R"(,"runs":3}]})").first, HasSubstr("\"runs\" is no list"));
    EXPECT_THAT(
        refusal_of(head + R"(,"runs":["r"]}],"gate":1})").first, HasSubstr("neither true nor false")
    );
    EXPECT_THAT(
        refusal_of(head + R"(,"runs":["r"]}],"on_inconclusive":"shrug"})").first,
        HasSubstr("\"shrug\" is no on_inconclusive")
    );
    EXPECT_THAT(
        refusal_of(R"({"schema":"kvprof.recipe/1","format":"pdf"})").first,
        HasSubstr("\"pdf\" is no format that this program knows")
    );
}

TEST(ReportId, NamesWhatWasCompared) {
    EXPECT_THAT(report_id(small_recipe()), MatchesRegex("kvr_[0-9a-f]{16}"));
    EXPECT_EQ(report_id(small_recipe()), report_id(small_recipe()));
    Recipe other = small_recipe();
    other.day = "2026-11-30";
    EXPECT_NE(report_id(other), report_id(small_recipe()));
}

} // namespace
} // namespace kvprof::report
