#include "cli/parse.h"

#include "capture/model/error.h"
#include "capture/model/params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace kvprof::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

template<typename Options>
Options as(const std::vector<std::string>& arguments) {
    const Command command = parse(arguments);
    EXPECT_TRUE(std::holds_alternative<Options>(command)) << command.index();
    return std::get<Options>(command);
}

std::string refusal_of(const std::vector<std::string>& arguments) {
    try {
        (void)parse(arguments);
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "nothing was refused";
}

TEST(ParseRun, StartsFromTheDefaultsOfTheSpecifications) {
    const auto options = as<RunOptions>({"run"});
    EXPECT_EQ(options.step, StepSpec{});
    EXPECT_EQ(options.measure, MeasureSpec{});
    EXPECT_EQ(options.repeats, 1);
    EXPECT_EQ(options.common, CommonOptions{});
}

TEST(ParseRun, SetsFieldsOfEveryType) {
    const auto options = as<RunOptions>(
        {"run",
         "--index-mode",
         "rectangle",
         "--max-context=1Mi",
         "--holes",
         "0.25",
         "--preset",
         "a.toml",
         "--executor",
         "host",
         "--warmup-max",
         "2"}
    );
    EXPECT_EQ(options.step.index_mode, IndexMode::rectangle);
    EXPECT_EQ(options.step.max_context, 1'048'576);
    EXPECT_EQ(options.step.holes, 0.25);
    EXPECT_EQ(options.step.preset, "a.toml");
    EXPECT_EQ(options.measure.executor, ExecutorKind::host);
    EXPECT_EQ(options.measure.warmup_max_s, 2.0);
}

TEST(ParseRun, SetsEveryFieldToItsDefaultByItsOwnText) {
    std::vector<std::string> arguments{"run"};
    const StepSpec step;
    const MeasureSpec measure;
    for (const auto& params : {to_params(step), to_params(measure)}) {
        for (const Param& param : params) {
            arguments.insert(arguments.end(), {"--" + param.name, param.value});
        }
    }
    const auto options = as<RunOptions>(arguments);
    EXPECT_EQ(options.step, step);
    EXPECT_EQ(options.measure, measure);
}

TEST(ParseRun, TakesANegativeNumberForAValue) {
    EXPECT_EQ(as<RunOptions>({"run", "--seed", "-5"}).step.seed, -5);
}

TEST(ParseRun, CollectsTheAxesOfAMatrix) {
    const auto options =
        as<RunOptions>({"run", "--vary", "index-mode=rectangle,stream", "--vary", "batch=1,8"});
    EXPECT_THAT(
        options.varies,
        ElementsAre(
            experiment::Vary{"index-mode", {"rectangle", "stream"}},
            experiment::Vary{"batch", {"1", "8"}}
        )
    );
}

TEST(ParseRun, ReadsTheExperimentOptions) {
    const auto options = as<RunOptions>(
        {"run",
         "--repeats",
         "3",
         "--label",
         "before",
         "--timeout",
         "1.5",
         "--dry-run",
         "--single-process"}
    );
    EXPECT_EQ(options.repeats, 3);
    EXPECT_EQ(options.label, "before");
    EXPECT_EQ(options.timeout_s, 1.5);
    EXPECT_TRUE(options.is_dry);
    EXPECT_TRUE(options.is_single_process);
}

TEST(ParseRun, KeepsTheCommandLineAsAShellTakesItBack) {
    EXPECT_EQ(
        as<RunOptions>({"run", "--label", "it's new", "--batch", "8"}).command_line,
        R"(kvprof run --label 'it'\''s new' --batch 8)"
    );
}

TEST(ParseRun, RefusesAnUnknownOptionWithTheNearest) {
    EXPECT_EQ(
        refusal_of({"run", "--btach", "8"}),
        "could not read the command line: unknown option --btach | did you mean \"--batch\"?"
    );
    EXPECT_THAT(
        refusal_of({"run", "--index-mod=stream"}), HasSubstr("did you mean \"--index-mode\"?")
    );
    EXPECT_THAT(refusal_of({"run", "-batch", "8"}), HasSubstr("did you mean \"--batch\"?"));
    EXPECT_THAT(refusal_of({"run", "--zzz"}), HasSubstr("kvprof run --help lists the options"));
}

TEST(ParseRun, RefusesAnUnknownValueWithTheNearest) {
    EXPECT_THAT(
        refusal_of({"run", "--index-mode", "streem"}), HasSubstr("did you mean \"stream\"?")
    );
    EXPECT_THAT(refusal_of({"run", "--batch", "many"}), HasSubstr("--batch"));
    EXPECT_THAT(refusal_of({"run", "--holes", "nan"}), HasSubstr("--holes"));
}

TEST(ParseRun, TakesTheLastOfTwoValues) {
    EXPECT_EQ(as<RunOptions>({"run", "--batch", "1", "--batch", "2"}).step.batch, 2);
}

TEST(ParseRun, RefusesAMissingValueAndStrayWords) {
    EXPECT_THAT(refusal_of({"run", "--batch"}), HasSubstr("--batch"));
    EXPECT_THAT(refusal_of({"run", "fast"}), HasSubstr("unexpected argument \"fast\""));
    EXPECT_THAT(refusal_of({"run", "--", "fast"}), HasSubstr("unexpected argument \"fast\""));
}

TEST(ParseRun, RefusesCountsThatMeanNothing) {
    EXPECT_THAT(refusal_of({"run", "--repeats", "0"}), HasSubstr("--repeats"));
    EXPECT_THAT(refusal_of({"run", "--timeout", "-1"}), HasSubstr("--timeout"));
}

TEST(ParseCommon, TakesTheFormatFromTheFlagThenTheFile) {
    EXPECT_EQ(as<ShowOptions>({"show", "@latest", "-o", "a.md"}).common.format, Format::markdown);
    EXPECT_EQ(as<ShowOptions>({"show", "@latest", "-o", "a.json"}).common.format, Format::json);
    EXPECT_EQ(
        as<ShowOptions>({"show", "@latest", "-o", "a.md", "--json"}).common.format, Format::json
    );
    EXPECT_EQ(
        as<ShowOptions>({"show", "@latest", "-o", "a.md", "--format", "text"}).common.format,
        Format::text
    );
}

TEST(ParseCommon, RefusesAFormatThatTheVerbLacks) {
    EXPECT_THAT(refusal_of({"ls", "--format", "md"}), HasSubstr("could not choose the format md"));
    EXPECT_THAT(refusal_of({"ls", "--format", "jsn"}), HasSubstr("did you mean \"json\"?"));
}

TEST(ParseStoreVerbs, TakeTheirReferences) {
    EXPECT_EQ(as<ShowOptions>({"show", "@latest~1"}).reference, "@latest~1");
    EXPECT_THAT(as<RemoveOptions>({"rm", "a", "b"}).references, ElementsAre("a", "b"));
    EXPECT_EQ(as<ListOptions>({"ls", "--limit", "5"}).limit, 5);
    EXPECT_THAT(refusal_of({"show"}), HasSubstr("1 REF missing"));
    EXPECT_THAT(refusal_of({"show", "a", "b"}), HasSubstr("unexpected argument \"b\""));
}

TEST(ParseStoreVerbs, TakeAReferenceThatIsAVerbOrStartsWithADash) {
    EXPECT_EQ(as<ShowOptions>({"show", "run"}).reference, "run");
    EXPECT_EQ(as<ShowOptions>({"show", "--", "-x"}).reference, "-x");
    EXPECT_FALSE(as<ShowOptions>({"show", "run"}).list);
    EXPECT_EQ(as<ShowOptions>({"show", "run", "--steps"}).list, analyzers::RunList::steps);
    EXPECT_EQ(as<ShowOptions>({"show", "--kernels", "run"}).list, analyzers::RunList::kernels);
}

TEST(ParseTag, NamesTheLatestUnlessToldOtherwise) {
    EXPECT_EQ(as<TagOptions>({"tag", "main"}).reference, "@latest");
    EXPECT_EQ(as<TagOptions>({"tag", "main", "4f0c9a"}).reference, "4f0c9a");
    EXPECT_TRUE(as<TagOptions>({"tag", "--delete", "main"}).deletes);
    EXPECT_EQ(as<TagOptions>({"tag"}).name, "");
}

TEST(ParseDiff, NeedsTwoSidesOrOneExperiment) {
    EXPECT_THAT(as<DiffOptions>({"diff", "a", "b"}).subject.references, ElementsAre("a", "b"));
    EXPECT_EQ(as<DiffOptions>({"diff", "--by", "index-mode", "@latest"}).subject.by, "index-mode");
    EXPECT_THAT(as<DiffOptions>({"diff", "@latest"}).subject.references, ElementsAre("@latest"))
        << "its own two sides";
    EXPECT_THAT(refusal_of({"diff"}), HasSubstr("1 REF missing"));
    EXPECT_THAT(refusal_of({"diff", "--by", "pool", "a", "b"}), HasSubstr("unexpected argument"));
}

TEST(ParseDiff, TakesTheNamesOfFieldsAlone) {
    const auto options = as<DiffOptions>(
        {"diff",
         "a",
         "b",
         "--treatment",
         "batch",
         "--treatment",
         "driver",
         "--allow-mismatch",
         "device-uuid",
         "--strict-env",
         "--unpaired",
         "--policy",
         "p.toml"}
    );
    EXPECT_THAT(options.subject.judge.treatment, ElementsAre("batch", "driver"));
    EXPECT_THAT(options.subject.judge.allowed_mismatch, ElementsAre("device-uuid"));
    EXPECT_TRUE(options.subject.judge.is_strict_env);
    EXPECT_TRUE(options.subject.judge.is_unpaired);
    EXPECT_EQ(options.subject.judge.policy, "p.toml");
    EXPECT_THAT(
        refusal_of({"diff", "a", "b", "--treatment", "bacth"}),
        HasSubstr("\"bacth\" is no field of a run | did you mean \"batch\"?")
    );
}

TEST(ParseAb, ReadsTwoOptionSets) {
    const auto options =
        as<RunOptions>({"run", "--ab", "index-mode=rectangle", "", "--batch", "8"});
    EXPECT_EQ(options.design.kind, ExperimentKind::ab);
    ASSERT_EQ(options.design.sides.size(), 2U);
    EXPECT_EQ(options.design.sides[0].text, "index-mode=rectangle");
    EXPECT_EQ(options.design.sides[1].text, "") << "nothing is changed";
    EXPECT_EQ(options.step.batch, 8);
}

TEST(ParseAb, LeavesTheSidesToTheFirstVaryWhenItStandsAlone) {
    const auto options = as<RunOptions>({"run", "--ab", "--vary", "batch=1,8", "--runs", "8"});
    EXPECT_EQ(options.design.kind, ExperimentKind::ab);
    EXPECT_TRUE(options.design.sides.empty());
    EXPECT_EQ(options.design.runs, 8);
    EXPECT_TRUE(as<RunOptions>({"run", "--ab", "", "", "--runs", "auto"}).design.has_looks);
}

TEST(ParseAb, RefusesOneSideAndNumbersThatDoNotBelongToIt) {
    EXPECT_THAT(refusal_of({"run", "--ab", "batch=8"}), HasSubstr("is one side alone"));
    EXPECT_THAT(refusal_of({"run", "--runs", "8"}), HasSubstr("there is no --ab | --repeats"));
    EXPECT_THAT(refusal_of({"run", "--ab", "", "", "--repeats", "3"}), HasSubstr("take --runs"));
    EXPECT_THAT(refusal_of({"run", "--ab", "", "", "--runs", "0"}), HasSubstr("outside 1 to"));
}

TEST(ParseGate, MeasuresJudgesWhatIsStoredOrTakesABaseline) {
    EXPECT_EQ(as<GateOptions>({"gate", "--ab", "", ""}).run.design.kind, ExperimentKind::ab);
    EXPECT_EQ(as<GateOptions>({"gate", "@latest"}).reference, "@latest");
    EXPECT_EQ(as<GateOptions>({"gate", "--baseline", "main"}).baseline, "main");
    EXPECT_THAT(refusal_of({"gate"}), HasSubstr("nothing to judge | measure with --ab A B"));
    EXPECT_THAT(refusal_of({"gate", "a", "--batch", "8"}), HasSubstr("nothing is measured"));
    EXPECT_THAT(refusal_of({"gate", "a", "--confirm"}), HasSubstr("nothing is measured"));
    EXPECT_THAT(refusal_of({"gate", "a", "--dry-run"}), HasSubstr("nothing is measured"));
    EXPECT_THAT(refusal_of({"gate", "a", "--policy", ""}), HasSubstr("its value is empty"));
    EXPECT_THAT(
        refusal_of({"gate", "--ab", "", "", "--baseline", "main"}),
        HasSubstr("--ab measures both sides, and --baseline main is stored")
    );
    EXPECT_EQ(
        as<GateOptions>({"gate", "a", "--on-inconclusive", "warn"}).on_inconclusive,
        analyzers::OnInconclusive::warn
    );
}

TEST(ParseBaseline, NeedsAReasonForARevision) {
    const auto options = as<BaselineOptions>(
        {"baseline", "set", "main", "@latest", "@latest~1", "--reason", "1.2", "--author", "ada"}
    );
    EXPECT_EQ(options.name, "main");
    EXPECT_THAT(options.references, ElementsAre("@latest", "@latest~1"));
    EXPECT_EQ(options.author, "ada");
    EXPECT_THAT(refusal_of({"baseline", "set", "main", "@latest"}), HasSubstr("--reason"));
    EXPECT_THAT(refusal_of({"baseline", "set", "main"}), HasSubstr("1 REF missing"));
    EXPECT_THAT(refusal_of({"baseline", "rn", "main"}), HasSubstr("\"rm\""));
}

TEST(ParseCalibrate, TakesTenRunsOrMore) {
    EXPECT_EQ(
        as<CalibrateOptions>({"calibrate", "--runs", "20"}).run.design.kind,
        ExperimentKind::calibration
    );
    EXPECT_THAT(refusal_of({"calibrate", "--runs", "9"}), HasSubstr("10 runs or more"));
    EXPECT_THAT(refusal_of({"calibrate", "--runs", "auto"}), HasSubstr("10 runs or more"));
}

TEST(ParseSelftest, ReadsInjectionsInPercent) {
    EXPECT_THAT(as<SelftestOptions>({"selftest"}).injected, ElementsAre(0.0, 0.02));
    EXPECT_THAT(
        as<SelftestOptions>({"selftest", "--inject", "0.5 %,1%"}).injected, ElementsAre(0.005, 0.01)
    );
    EXPECT_THAT(refusal_of({"selftest", "--inject", "2"}), HasSubstr("is no percentage"));
    EXPECT_THAT(refusal_of({"selftest", "--inject", "200%"}), HasSubstr("outside 0 to 100 %"));
    EXPECT_THAT(refusal_of({"selftest", "--gates", "0"}), HasSubstr("outside 1 to 1,000"));
}

TEST(ParseExport, TakesOneReferenceAndAFormatOfItsOwn) {
    const auto options = as<ExportOptions>({"export", "@latest", "-o", "step.md"});
    EXPECT_THAT(options.references, ElementsAre("@latest"));
    EXPECT_EQ(options.common.output, "step.md");
    EXPECT_EQ(options.common.format, Format::perfetto) << "whatever the file is called";
    EXPECT_FALSE(options.is_bundle);
    EXPECT_EQ(
        as<ExportOptions>({"export", "--format", "gbench", "a"}).common.format, Format::gbench
    );
    EXPECT_THROW(std::ignore = parse({"export", "--format", "text", "a"}), UsageError);
    EXPECT_THROW(std::ignore = parse({"export"}), UsageError);
    EXPECT_THROW(std::ignore = parse({"export", "a", "b", "c"}), UsageError);
}

TEST(ParseExport, TakesAFileThatEndsInDbForABundleOfAnyNumberOfReferences) {
    const auto options =
        as<ExportOptions>({"export", "a", "b", "c", "-o", "runs.db", "--no-events"});
    EXPECT_TRUE(options.is_bundle);
    EXPECT_FALSE(options.has_events);
    EXPECT_TRUE(options.has_calibrations);
    EXPECT_TRUE(as<ExportOptions>({"export", "--format", "bundle", "a", "-o", "x"}).is_bundle);
    EXPECT_FALSE(as<ExportOptions>({"export", "--format", "csv", "a", "-o", "x.db"}).is_bundle);
}

TEST(ParseReport, TakesMarkdownOfTheLatestUnlessToldOtherwise) {
    const auto options = as<ReportOptions>({"report"});
    EXPECT_EQ(options.common.format, Format::markdown);
    EXPECT_THAT(options.subject.references, ElementsAre("@latest"));
}

TEST(ParseReport, TakesTheFormFromTheNameOfItsFile) {
    const auto format_of = [](const char* file) {
        return as<ReportOptions>({"report", "-o", file}).common.format;
    };
    EXPECT_EQ(format_of("a.html"), Format::html);
    EXPECT_EQ(format_of("a.json.gz"), Format::json);
    EXPECT_EQ(format_of("a.xml"), Format::junit);
    EXPECT_EQ(format_of("a.prom"), Format::openmetrics);
    EXPECT_EQ(format_of("a.report"), Format::markdown) << "its usual form";
    EXPECT_TRUE(as<ReportOptions>({"report", "-o", "a.json.gz"}).common.is_gzip);
}

TEST(ParseClaims, HasOneActionAndAFile) {
    const auto options = as<ClaimsOptions>({"claims", "check", "c.toml", "a", "b"});
    EXPECT_EQ(options.subject.claims, "c.toml");
    EXPECT_THAT(options.subject.references, ElementsAre("a", "b"));
    EXPECT_THAT(refusal_of({"claims", "chek", "c.toml"}), HasSubstr("claims knows no \"chek\""));
    EXPECT_THAT(refusal_of({"claims", "check"}), HasSubstr("1 REF missing"));
}

TEST(ParseProgram, RefusesAnUnknownVerbWithTheNearest) {
    EXPECT_THAT(refusal_of({"rnu"}), HasSubstr("unknown verb \"rnu\""));
    EXPECT_THAT(refusal_of({"dif", "a", "b"}), HasSubstr("did you mean \"diff\"?"));
    EXPECT_THAT(refusal_of({}), HasSubstr("no verb"));
    EXPECT_THAT(refusal_of({"--db", "x", "run"}), HasSubstr("options of a verb come after it"));
}

TEST(ParseProgram, KnowsItsVersionAndHelp) {
    EXPECT_TRUE(as<VersionOptions>({"--version", "--json"}).is_json);
    EXPECT_THAT(as<HelpOptions>({"run", "--help"}).text, StartsWith("kvprof run: "));
    EXPECT_THAT(as<HelpOptions>({"help", "diff"}).text, StartsWith("kvprof diff: "));
    EXPECT_THAT(as<HelpOptions>({"help", "exit-codes"}).text, StartsWith("Exit codes"));
    EXPECT_THAT(as<HelpOptions>({"-h"}).text, StartsWith("kvprof: "));
    EXPECT_THAT(refusal_of({"help", "exit-code"}), HasSubstr("did you mean \"exit-codes\"?"));
}

TEST(ParseProgram, HidesTheCommandOfTheChild) {
    EXPECT_THAT(as<HelpOptions>({"--help"}).text, ::testing::Not(HasSubstr("_measure")));
    EXPECT_EQ(as<MeasureOptions>({"_measure", "--spec", "a", "--out", "b"}).out, "b");
}

TEST(Help, ListsEveryFieldWithItsSectionChoicesAndDefault) {
    const std::string text = as<HelpOptions>({"run", "--help"}).text;
    const StepSpec step;
    visit_fields(step, [&](const FieldInfo& field, const auto&) {
        EXPECT_THAT(text, HasSubstr(std::string("  --") + field.name + " "));
        EXPECT_THAT(text, HasSubstr(std::string("\n") + field.section + ":\n"));
    });
    EXPECT_THAT(text, HasSubstr("--index-mode auto|rectangle|stream|table|both"));
    EXPECT_THAT(text, HasSubstr("requests that decode in the step [64]"));
}

TEST(Help, IsAtMostAHundredColumnsWide) {
    for (const char* verb : {"run", "ls", "show", "rm", "tag", "diff", "export", "doctor"}) {
        std::istringstream lines(as<HelpOptions>({verb, "--help"}).text);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), 100U) << line;
        }
    }
}

} // namespace
} // namespace kvprof::cli
