#include "report/schemas.h"

#include "analyzers/sampled_test.h"
#include "capture/model/error.h"
#include "capture/model/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kvprof::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Json schema_of(const std::string& name) {
    return Json::parse(schema_text(name));
}

/// Expects each reference to lead to a definition of the same text.
void expect_whole(const Json& part, const Json& whole, const std::string& name) {
    for (const auto& [key, value] : part.items()) {
        if (key == "$ref") {
            const std::string where = value.get<std::string>().substr(1);
            EXPECT_TRUE(whole.contains(Json::json_pointer(where))) << name << ": " << where;
        } else if (value.is_structured()) {
            expect_whole(value, whole, name);
        }
    }
}

template<typename E>
void expect_words(const Json& definition) {
    Json words = Json::array();
    for (const auto& [value, word] : EnumNames<E>::values) {
        words.push_back(word);
    }
    EXPECT_EQ(definition["enum"], words);
}

TEST(Schemas, AreThereForEveryDocument) {
    const auto names = schema_names();
    for (const char* name :
         {"run",          "experiment",  "comparison",   "comparisons", "pairs", "gate",
          "listing",      "steps",       "kernels",      "selftest",    "plan",  "baselines",
          "report-lines", "recipe",      "rows",         "claims",      "tags",  "version",
          "doctor",       "calibration", "verification", "ceilings"}) {
        EXPECT_THAT(names, Contains(name));
    }
    EXPECT_THAT(names, Not(Contains("definitions")));
}

TEST(Schemas, AreWhole) {
    for (const std::string& name : schema_names()) {
        const Json schema = schema_of(name);
        EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        expect_whole(schema, schema, name);
    }
}

TEST(Schemas, HoldNoDefinitionThatTheyDoNotUse) {
    EXPECT_FALSE(schema_of("listing")["$defs"].contains("step"));
    EXPECT_FALSE(schema_of("version").contains("$defs"));
}

TEST(Schemas, AreFoundByTheNameThatADocumentCarries) {
    EXPECT_EQ(schema_text("kvprof.gate/1"), schema_text("gate"));
}

TEST(Schemas, SuggestTheNearestName) {
    try {
        std::ignore = schema_text("gates");
        FAIL() << "there is a schema of gates";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what() + error.hint(), HasSubstr("gate"));
    }
    EXPECT_THROW(std::ignore = schema_text("definitions"), UsageError);
    EXPECT_THROW(std::ignore = schema_text("kvprof.gate/2"), UsageError);
}

TEST(Schemas, ListTheWordsOfTheProgram) {
    const Json definitions = schema_of("gate")["$defs"];
    expect_words<analyzers::Verdict>(definitions["verdict"]);
    expect_words<OpKind>(definitions["op"]);
    expect_words<RunState>(definitions["run_state"]);
}

TEST(Schemas, DescribeEveryFieldOfAStep) {
    const Json step = schema_of("run")["$defs"]["step"];
    const StepSpec defaults;
    visit_fields(defaults, [&](const FieldInfo& info, const auto&) {
        EXPECT_THAT(step["required"], Contains(info.name));
        EXPECT_TRUE(step["properties"].contains(info.name)) << info.name;
    });
    EXPECT_EQ(step["properties"]["batch"]["type"], "integer");
}

TEST(Schemas, ForbidNoMemberThatALaterVersionAdds) {
    for (const std::string& name : schema_names()) {
        EXPECT_THAT(schema_text(name), Not(HasSubstr("additionalProperties"))) << name;
    }
}

} // namespace
} // namespace kvprof::report
