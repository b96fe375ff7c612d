#include "report/verify.h"

#include "report/render.h"
#include "tests/report/sample_reports.h"
#include "tests/report/verify_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace kvprof::report {
namespace {

using namespace verify_samples;
using testing::HasSubstr;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The only difference; of none an empty one.
Difference difference_of(const std::string& reported, const std::string& derived, Format format) {
    const Verification found = compare_reports(reported, derived, format);
    EXPECT_TRUE(found.difference) << "nothing differs";
    return found.difference.value_or(Difference{});
}

TEST(Verify, NamesTheRowAndTheColumnOfMarkdown) {
    const std::string derived = markdown_sample();
    const Difference cell =
        difference_of(replaced(derived, "3.586 ms", "3.587 ms"), derived, Format::markdown);
    EXPECT_EQ(cell.where, "line 8, row step.gpu_time, column A");
    EXPECT_EQ(cell.reported, "3.587 ms");
    EXPECT_EQ(cell.derived, "3.586 ms");
    EXPECT_TRUE(cell.is_figure);
    const Difference sign =
        difference_of(replaced(derived, "| -1 ", "| +1 "), derived, Format::markdown);
    EXPECT_EQ(sign.where, "line 9, row step.launches, column Change");
    const Difference recipe =
        difference_of(replaced(derived, "2026-11-29", "2026-11-28"), derived, Format::markdown);
    EXPECT_EQ(recipe.where, "line 11, the recipe");
    EXPECT_THAT(recipe.reported, HasSubstr("2026-11-28"));
}

TEST(Verify, NamesTheRowAndTheColumnOfText) {
    const std::string derived = text_sample();
    EXPECT_EQ(
        difference_of(replaced(derived, "3.575", "3.475"), derived, Format::text).where,
        "line 6, row step.gpu_time, column candidate"
    );
    EXPECT_EQ( // a row with an empty cell
        difference_of(replaced(derived, "   26 ", "   25 "), derived, Format::text).where,
        "line 8, row step.launches, column candidate"
    );
    EXPECT_EQ(
        difference_of(replaced(derived, "TP over 1", "TP over 2"), derived, Format::text).where,
        "line 11"
    );
}

TEST(Verify, NamesTheRowAndTheColumnOfCsv) {
    const std::string derived = csv_sample();
    EXPECT_EQ(
        difference_of(replaced(derived, "3575000", "3575001"), derived, Format::csv).where,
        "line 2, row batch=8 step.gpu_time, column candidate_median"
    );
    EXPECT_EQ(
        difference_of(replaced(derived, ",27,", ",28,"), derived, Format::csv).where,
        "line 3, row batch=8 \"a \"\"b\"\", c\", column base_median"
    );
}

TEST(Verify, NamesThePathInJson) {
    const Difference last =
        difference_of(replaced(kJson, "0000004", "0000003"), kJson, Format::json);
    EXPECT_EQ(last.where, "/metrics/0/p"); // both read as the same double
    EXPECT_EQ(last.reported, "0.30000000000000003");
    EXPECT_EQ(last.derived, "0.30000000000000004");
    EXPECT_EQ(
        difference_of(replaced(kJson, "551615", "551614"), kJson, Format::json).where,
        "/metrics/1/n"
    );
    EXPECT_EQ(
        difference_of(replaced(kJson, "\"n\": 8}", "\"n\": 8.0}"), kJson, Format::json).where,
        "/metrics/0/n"
    );
    const Difference twice =
        difference_of(replaced(kJson, "\"n\": 8}", "\"n\": 9, \"n\": 8}"), kJson, Format::json);
    EXPECT_EQ(twice.where, "/metrics/0");
    EXPECT_EQ(twice.reported, "4 members");
    const std::string loose = replaced(kJson, ", \"report\"", ",\n\n    \"report\"");
    EXPECT_FALSE(compare_reports(loose, kJson, Format::json).difference);
    EXPECT_EQ(
        difference_of("{\"a\":1}\n{\"a\":3}\n", "{\"a\":1}\n{\"a\":2}\n", Format::jsonl).where,
        "line 2, /a"
    );
}

TEST(Verify, NamesTheTestInJunit) {
    const std::string changed = replaced(kJunit, "time=\"0.25\"", "time=\"0.75\"");
    EXPECT_EQ(
        difference_of(changed, kJunit, Format::junit).where,
        "/testsuites[@name=\"kvprof\"]/testsuite[@name=\"batch=8\"]/testcase[@name=\"launches\"]/"
        "@time"
    );
    EXPECT_THAT(
        difference_of(replaced(kJunit, "+1.49", "-1.49"), kJunit, Format::junit).where,
        HasSubstr("testcase[@name=\"step_time\"]/failure/text()")
    );
    const std::string indented = replaced(kJunit, "\n  <properties>", "\n\n      <properties>");
    EXPECT_FALSE(compare_reports(indented, kJunit, Format::junit).difference);
}

TEST(Verify, SeesWhatStandsOutsideTheRootOfJunit) {
    const std::string junit(kJunit);
    EXPECT_TRUE(compare_reports(junit + "\n9 more", junit, Format::junit).difference);
    const std::string before = replaced(junit, "<testsuites", "99 ms <testsuites");
    EXPECT_TRUE(compare_reports(before, junit, Format::junit).difference);
}

TEST(Verify, PassesOverTheVersionOfTheProgramToTheFirstFigure) {
    const std::string derived = markdown_sample();
    std::string newer = replaced(derived, "kvprof 0.1.0", "kvprof 0.2.0");
    const Difference word = difference_of(newer, derived, Format::markdown);
    EXPECT_FALSE(word.is_figure);
    EXPECT_EQ(word.where, "line 4");
    newer = replaced(newer, "| 27 |", "| 28 |");
    const Difference figure = difference_of(newer, derived, Format::markdown);
    EXPECT_TRUE(figure.is_figure);
    EXPECT_EQ(figure.where, "line 9, row step.launches, column A");
    EXPECT_FALSE(difference_of(replaced(kJson, "0.1.0", "0.2.0"), kJson, Format::json).is_figure);
    EXPECT_FALSE(difference_of(replaced(kJunit, "0.1.0", "0.2.0"), kJunit, Format::junit).is_figure
    );
}

TEST(Verify, TakesAUnitAndAVerdictForAFigure) {
    const std::string derived = markdown_sample();
    EXPECT_TRUE(difference_of(replaced(derived, "3.586 ms", "3.586 us"), derived, Format::markdown)
                    .is_figure);
    EXPECT_TRUE(
        difference_of(replaced(derived, "| improved", "| regressed"), derived, Format::markdown)
            .is_figure
    );
    EXPECT_FALSE(
        difference_of(replaced(derived, "rectangle", "square"), derived, Format::markdown).is_figure
    );
}

TEST(Verify, NamesTheRowThatIsMissing) {
    const std::string derived = markdown_sample();
    const std::string row = "| `step.launches` | 27 | 26 | -1 | improved |\n";
    const Difference missing = difference_of(replaced(derived, row, ""), derived, Format::markdown);
    EXPECT_EQ(missing.where, "line 9, row step.launches");
    EXPECT_EQ(missing.reported, "(no such line)");
    EXPECT_TRUE(missing.is_figure);
    const Difference added = difference_of(
        replaced(derived, row, row + "| `x` | 1 | 2 | +1 | same |\n"), derived, Format::markdown
    );
    EXPECT_EQ(added.where, "line 10, row x");
    EXPECT_EQ(added.derived, "(no such line)");
}

TEST(Verify, CountsTheNumbersThatAgree) {
    EXPECT_EQ(compare_reports(csv_sample(), csv_sample(), Format::csv).figures, 6U); // with batch=8
    EXPECT_EQ(
        compare_reports("{\"a\":[1,2.5,\"x 3\"]}", "{\"a\":[1,2.5,\"x 3\"]}", Format::json).figures,
        3U
    );
}

/// Places of digits, at most `most` of them, spread over the text.
std::vector<std::size_t> digits_of(const std::string& text, std::size_t most) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
            places.push_back(i);
        }
    }
    const std::size_t stride = std::max<std::size_t>(1, places.size() / most);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < places.size(); i += stride) {
        kept.push_back(places[i]);
    }
    return kept;
}

std::vector<std::size_t> line_starts(const std::string& text, std::size_t most) {
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_start = at == 0 || text[at - 1] == '\n';
        if (is_start && text[at] != '\n' && text[at] != '\r') {
            starts.push_back(at);
        }
    }
    const std::size_t stride = std::max<std::size_t>(1, starts.size() / most);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < starts.size(); i += stride) {
        kept.push_back(starts[i]);
    }
    return kept;
}

void expect_each_digit_counts(const std::string& text, Format format, std::size_t most) {
    EXPECT_FALSE(compare_reports(text, text, format).difference);
    EXPECT_GT(compare_reports(text, text, format).figures, 0U);
    for (const std::size_t place : digits_of(text, most)) {
        std::string changed = text;
        changed[place] = changed[place] == '9' ? '0' : static_cast<char>(changed[place] + 1);
        const Verification found = compare_reports(changed, text, format);
        ASSERT_TRUE(found.difference) << "a digit may change at "
                                      << text.substr(place - std::min<std::size_t>(place, 40), 80);
        EXPECT_FALSE(found.difference->where.empty());
        EXPECT_NE(found.difference->reported, found.difference->derived);
    }
}

void expect_each_line_counts(const std::string& text, Format format, std::size_t most) {
    for (const std::size_t start : line_starts(text, most)) {
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        std::string less = text;
        less.erase(start, end - start);
        EXPECT_TRUE(compare_reports(less, text, format).difference)
            << "may be left out: " << text.substr(start, end - start);
        std::string more = text;
        more.insert(end, text.substr(start, end - start));
        EXPECT_TRUE(compare_reports(more, text, format).difference)
            << "may be there twice: " << text.substr(start, end - start);
    }
}

TEST(Verify, CatchesEachDigitAndEachLineOfTheSamples) {
    for (const auto& [text, format] :
         {std::pair{markdown_sample(), Format::markdown},
          std::pair{text_sample(), Format::text},
          std::pair{csv_sample(), Format::csv},
          std::pair{kJson, Format::json},
          std::pair{kJunit, Format::junit}}) {
        SCOPED_TRACE(to_string(format));
        expect_each_digit_counts(text, format, 1000);
        expect_each_line_counts(text, format, 1000);
    }
}

class VerifyForm : public testing::TestWithParam<Format> {};

TEST_P(VerifyForm, CatchesAChangedDigitAnywhere) {
    const std::string text = render(test::gate_report(GetParam()));
    const std::size_t most = text.size() > 100'000 ? 20 : 80;
    expect_each_digit_counts(text, GetParam(), most);
}

TEST_P(VerifyForm, CatchesALineThatIsMissingOrThereTwice) {
    const std::string text = render(test::gate_report(GetParam()));
    const std::size_t most = text.size() > 100'000 ? 20 : 80;
    expect_each_line_counts(text, GetParam(), most);
}

TEST_P(VerifyForm, IsRecognisedAgain) {
    const Report report = test::gate_report(GetParam());
    const std::string text = render(report);
    const ReportFile file = read_report(text);
    EXPECT_EQ(file.format, GetParam());
    if (file.recipe) {
        EXPECT_EQ(*file.recipe, report.recipe);
    }
    EXPECT_FALSE(compare_reports(file.text, text, GetParam()).difference);
}

TEST_P(VerifyForm, IsComparedWhateverItsNamesHold) {
    const std::string text = render(test::hostile_report(GetParam()));
    const ReportFile file = read_report(text);
    EXPECT_EQ(file.format, GetParam());
    EXPECT_FALSE(compare_reports(file.text, text, GetParam()).difference);
    expect_each_digit_counts(text, GetParam(), 10);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    VerifyForm,
    testing::Values(
        Format::text,
        Format::markdown,
        Format::markdown_table,
        Format::html,
        Format::json,
        Format::jsonl,
        Format::csv,
        Format::junit,
        Format::github,
        Format::openmetrics,
        Format::gbench,
        Format::bmf,
        Format::benchstat,
        Format::github_action_benchmark
    ),
    [](const testing::TestParamInfo<Format>& form) {
        std::string name(to_string(form.param));
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
);

} // namespace
} // namespace kvprof::report
