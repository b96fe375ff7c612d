#include "capture/experiment/option_set.h"

#include "capture/experiment/temp_folder.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kvprof::experiment {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::string refusal_of(const std::string& text) {
    try {
        static_cast<void>(parse_option_set(text));
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "nothing was refused";
}

class OptionSetFile : public ::testing::Test {
  protected:
    std::string write(const std::string& text, const std::string& name = "set.toml") {
        const std::filesystem::path path = folder_.path() / name;
        std::ofstream(path) << text;
        return path.string();
    }

    /// Of a file with this text, the folder left out.
    std::string refusal_of_file(const std::string& text) {
        const std::string folder = folder_.path().string() + "/";
        std::string refusal = refusal_of(write(text));
        for (std::size_t at = 0; (at = refusal.find(folder)) != std::string::npos;) {
            refusal.erase(at, folder.size());
        }
        return refusal;
    }

    TempFolder folder_;
};

TEST(OptionSet, IsFieldsInTheOrderInWhichTheyStand) {
    const OptionSet options = parse_option_set("index-mode=stream,batch=8");
    EXPECT_EQ(options.text, "index-mode=stream,batch=8");
    EXPECT_THAT(options.fields, ElementsAre(Param{"index-mode", "stream"}, Param{"batch", "8"}));
}

TEST(OptionSet, ChangesNothingWhenEmpty) {
    const OptionSet options = parse_option_set("");
    EXPECT_EQ(options.text, "");
    EXPECT_THAT(options.fields, IsEmpty());
}

TEST(OptionSet, KeepsEqualsSignsInValues) {
    EXPECT_THAT(parse_option_set("preset=a=b").fields, ElementsAre(Param{"preset", "a=b"}));
}

TEST(OptionSet, RefusesEveryOtherShape) {
    EXPECT_THAT(
        refusal_of("batch"),
        StartsWith("could not read the option set \"batch\": \"batch\" is no FIELD=VALUE | write ")
    );
    EXPECT_THAT(refusal_of("=8"), HasSubstr("\"=8\" is no FIELD=VALUE"));
    EXPECT_THAT(refusal_of("batch=8,,seed=1"), HasSubstr("\"\" is no FIELD=VALUE"));
    EXPECT_THAT(refusal_of("batch=8,seed"), HasSubstr("\"seed\" is no FIELD=VALUE"));
}

TEST(OptionSet, RefusesAnUnknownFieldWithTheNearest) {
    EXPECT_THAT(
        refusal_of("index-mod=stream"),
        HasSubstr("\"index-mod\": there is no such field | did you mean \"index-mode\"?")
    );
    EXPECT_THAT(refusal_of("progam=/a"), HasSubstr("\"progam\": there is no such field"));
}

TEST(OptionSet, RefusesAValueThatIsNone) {
    EXPECT_THAT(refusal_of("index-mode=streem"), HasSubstr("did you mean \"stream\"?"));
    EXPECT_THAT(refusal_of("batch=many"), HasSubstr("batch"));
}

TEST(OptionSet, RefusesAFieldThatStandsTwice) {
    EXPECT_THAT(refusal_of("batch=8,seed=1,batch=9"), HasSubstr("could not take \"batch\" twice"));
}

TEST(OptionSet, SetsTheFieldsOfACellAndItsProgram) {
    Cell cell;
    cell.step.seq_len = 77;
    apply(parse_option_set("batch=8,l2=flush,program=/usr/bin/true"), cell);
    EXPECT_EQ(cell.step.batch, 8);
    EXPECT_EQ(cell.measure.l2, L2Mode::flush);
    EXPECT_EQ(cell.program, "/usr/bin/true");
    EXPECT_EQ(cell.step.seq_len, 77) << "what it does not name stays";
}

TEST_F(OptionSetFile, HoldsValuesOfEveryType) {
    const std::string path = write("batch = 64\n"
                                   "holes = 0.25        # a float\n"
                                   "index-mode = \"rectangle\"\n"
                                   "max-context = \"1Mi\"\n"
                                   "program = \"/usr/bin/true\"\n");
    const OptionSet options = parse_option_set(path);
    EXPECT_EQ(options.text, path);
    EXPECT_THAT(
        options.fields,
        UnorderedElementsAre(
            Param{"batch", "64"},
            Param{"holes", "0.25"},
            Param{"index-mode", "rectangle"},
            Param{"max-context", "1Mi"},
            Param{"program", "/usr/bin/true"}
        )
    );
    Cell cell;
    apply(options, cell);
    EXPECT_EQ(cell.step.batch, 64);
    EXPECT_EQ(cell.step.holes, 0.25);
    EXPECT_EQ(cell.step.max_context, 1'048'576);
}

TEST_F(OptionSetFile, NeedsNoEndingOfItsOwn) {
    EXPECT_THAT(
        parse_option_set(write("batch = 2", "fast")).fields, ElementsAre(Param{"batch", "2"})
    );
    EXPECT_THAT(parse_option_set(write("")).fields, IsEmpty());
}

TEST_F(OptionSetFile, NamesThePlaceOfWhatIsNoToml) {
    EXPECT_THAT(
        refusal_of_file("seed = 1\nbatch = = 8\n"),
        StartsWith("set.toml:2:9: could not read the option set: ")
    );
    EXPECT_THAT(refusal_of_file("batch = 8\nbatch = 9\n"), StartsWith("set.toml:2:"))
        << "TOML knows no key twice";
}

TEST_F(OptionSetFile, NamesThePlaceOfAnUnknownFieldAndOfAValueThatIsNone) {
    EXPECT_THAT(
        refusal_of_file("\nbtach = 8\n"),
        AllOf(StartsWith("set.toml:2:9: could not set \"btach\""), EndsWith("\"batch\"?"))
    );
    EXPECT_THAT(
        refusal_of_file("seed = 1\n  index-mode = \"streem\"\n"),
        AllOf(StartsWith("set.toml:2:16: "), EndsWith("did you mean \"stream\"?"))
    );
    EXPECT_THAT(refusal_of_file("batch = 0.5\n"), StartsWith("set.toml:1:9: "));
    EXPECT_THAT(refusal_of_file("batch = true\n"), StartsWith("set.toml:1:9: "));
}

TEST_F(OptionSetFile, RefusesTablesListsAndDates) {
    EXPECT_THAT(
        refusal_of_file("batch = [1, 8]\n"),
        StartsWith("set.toml:1:9: could not take a table, a list or a date as an option's value | ")
    );
    EXPECT_THAT(refusal_of_file("[batch]\nx = 1\n"), StartsWith("set.toml:1:1: could not take "));
}

TEST_F(OptionSetFile, IsNoDirectory) {
    const std::filesystem::path folder = folder_.path() / "set.toml";
    std::filesystem::create_directory(folder);
    EXPECT_THAT(refusal_of(folder.string()), HasSubstr("it is a directory"));
}

TEST_F(OptionSetFile, SaysWhenThereIsNone) {
    EXPECT_THAT(
        refusal_of((folder_.path() / "gone.toml").string()),
        AllOf(StartsWith("could not read the option set "), HasSubstr("gone.toml: "))
    );
    EXPECT_THAT(refusal_of("gone"), HasSubstr("\"gone\" is no FIELD=VALUE"));
}

TEST(OptionSet, EndsWithNoComma) {
    EXPECT_THAT(refusal_of("batch=1,"), HasSubstr("ends with a comma"));
}

TEST(DifferingFields, AreThoseOfTheStepTheMeasurementAndTheProgram) {
    Cell a;
    Cell b;
    EXPECT_THAT(differing_fields(a, b), IsEmpty());
    apply(parse_option_set("program=/usr/bin/true,l2=flush,batch=8,seed=3"), b);
    EXPECT_THAT(differing_fields(a, b), UnorderedElementsAre("batch", "seed", "l2", "program"));
    EXPECT_EQ(differing_fields(a, b), differing_fields(b, a));
}

TEST(DifferingFields, AreWhatIsSetToAnotherValueAlone) {
    Cell a;
    a.variant = "one";
    Cell b = a;
    b.variant = "other";
    apply(parse_option_set("batch=64"), a);
    apply(parse_option_set("batch=64,page-size=16"), b);
    EXPECT_THAT(differing_fields(a, b), ElementsAre("page-size"));
}

} // namespace
} // namespace kvprof::experiment
