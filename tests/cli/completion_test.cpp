#include "cli/completion.h"

#include "capture/experiment/child_process.h"
#include "capture/experiment/temp_folder.h"
#include "capture/model/error.h"
#include "capture/program_path.h"
#include "cli/complete.h"
#include "cli/parse.h"
#include "cli/verbs.h"
#include "db/store.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace kvprof::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string printed(const std::vector<std::string>& arguments) {
    return std::get<HelpOptions>(parse(arguments)).text;
}

/// "--output" and the other long options that --help lists.
std::vector<std::string> options_of(std::string_view verb) {
    const std::string help = printed({"help", std::string(verb)});
    const std::regex line("\n  (?:-[a-z],)?(--[a-z0-9-]+)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(help.begin(), help.end(), line); at != std::sregex_iterator();
         ++at) {
        names.push_back((*at)[1]);
    }
    return names;
}

/// From `begin` to the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin);
    EXPECT_NE(at, std::string::npos) << begin;
    return at == std::string::npos ? "" : text.substr(at, text.find(end, at) - at);
}

/// The lines of a fish script that are about this verb.
std::string lines_about(const std::string& script, std::string_view verb) {
    const std::regex about("__kvprof_is ([a-z ]* )?" + std::string(verb) + "[ ;']");
    std::istringstream lines(script);
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        found += std::regex_search(line, about) ? line + "\n" : "";
    }
    return found;
}

TEST(Completion, OfBashKnowsEveryVerbAndItsOptions) {
    const std::string script = printed({"completion", "bash"});
    const std::string verbs = part(script, "_kvprof_verbs='", "\n");
    for (const Verb& verb : kVerbs) {
        EXPECT_THAT(verbs, testing::ContainsRegex("[ ']" + std::string(verb.name) + "[ ']"));
        const std::string options = part(script, "_kvprof_options()", "esac");
        const std::string line = part(options, "\n    " + std::string(verb.name) + ") ", ";;");
        for (const std::string& option : options_of(verb.name)) {
            EXPECT_THAT(line, testing::ContainsRegex("[ ']" + option + "[ ']"));
        }
    }
}

TEST(Completion, OfZshKnowsEveryVerbAndItsOptions) {
    const std::string script = printed({"completion", "zsh"});
    EXPECT_TRUE(script.starts_with("#compdef kvprof\n"));
    const std::string rest = part(script, "_kvprof_rest()", "\n}\n");
    for (const Verb& verb : kVerbs) {
        EXPECT_THAT(script, HasSubstr("\n        '" + std::string(verb.name) + ":"));
        const std::string own = part(rest, "\n    " + std::string(verb.name) + ")\n", ";;");
        for (const std::string& option : options_of(verb.name)) {
            EXPECT_THAT(own, testing::ContainsRegex(option + "=?\\[")) << verb.name;
        }
    }
}

TEST(Completion, OfFishKnowsEveryVerbAndItsOptions) {
    const std::string script = printed({"completion", "fish"});
    for (const Verb& verb : kVerbs) {
        EXPECT_THAT(script, HasSubstr("-n __kvprof_is -a " + std::string(verb.name) + " -d '"));
        const std::string own = lines_about(script, verb.name);
        for (const std::string& option : options_of(verb.name)) {
            EXPECT_THAT(own, HasSubstr(" -l " + option.substr(2) + " ")) << verb.name;
        }
    }
}

TEST(Completion, LeavesOutWhatOnlyKvprofCalls) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string script = printed({"completion", shell});
        EXPECT_THAT(script, Not(HasSubstr("_measure"))) << shell;
        EXPECT_THAT(script, Not(HasSubstr("scripted"))) << shell;
    }
}

TEST(Completion, OffersTheChoicesOfAnOptionAndOfAField) {
    EXPECT_THAT(
        part(printed({"completion", "bash"}), "*' --pool')", ";;"),
        HasSubstr("most=1 offer='static unified'")
    );
    EXPECT_THAT(
        printed({"completion", "bash"}),
        HasSubstr("\n    index-mode) offer='auto rectangle stream table both' ;;\n")
    );
    EXPECT_THAT(
        part(printed({"completion", "bash"}), "*' --attention-backend')", ";;"),
        HasSubstr("flashinfer_mla flashinfer triton fa3")
    );
    EXPECT_THAT(
        printed({"completion", "zsh"}), HasSubstr(":static|unified: _kvprof_any static unified'")
    );
    EXPECT_THAT(printed({"completion", "fish"}), HasSubstr(" -l pool -x -k -a 'static unified'"));
    EXPECT_THAT(
        part(printed({"completion", "bash"}), "*' --vary')", ";;"),
        HasSubstr("most=1 offer='@vary'")
    );
    EXPECT_THAT(
        part(printed({"completion", "bash"}), "*' --ab')", ";;"), HasSubstr("most=2 offer='@sides'")
    );
    EXPECT_THAT(
        part(printed({"completion", "bash"}), "*' --axis')", ";;"),
        HasSubstr("seq-len= batch= max-context= max-batch= page-size=")
    );
    // Of N|auto only the second can be typed as it stands.
    EXPECT_THAT(printed({"completion", "fish"}), HasSubstr(" -l runs -x -k -a 'auto'"));
}

TEST(Completion, OffersWhatAnActionIsAppliedTo) {
    const std::string script = printed({"completion", "bash"});
    EXPECT_THAT(script, HasSubstr("\n    'baseline 0') offer='set ls rm' ;;\n"));
    EXPECT_THAT(script, HasSubstr("\n    'baseline '*) offer='@references' ;;\n"));
    EXPECT_THAT(script, HasSubstr("\n    'completion 0') offer='bash zsh fish' ;;\n"));
    EXPECT_THAT(script, testing::ContainsRegex("\n    'help 0'\\) offer='run [a-z -]*exit-codes'"));
}

TEST(Completion, RefusesAShellThatItDoesNotKnow) {
    EXPECT_THROW((void)parse({"completion", "tcsh"}), UsageError);
    EXPECT_THROW((void)parse({"completion"}), UsageError);
}

TEST(Completion, OfBashIsAScriptThatBashReads) {
    const auto bash = find_program("bash");
    if (!bash) {
        GTEST_SKIP() << "no bash in PATH";
    }
    const experiment::TempFolder folder;
    const std::filesystem::path file = folder.path() / "kvprof";
    std::ofstream(file) << printed({"completion", "bash"});
    experiment::ChildCommand command;
    command.program = *bash;
    command.arguments = {"bash", "-n", file.string()};
    const auto result = experiment::run_child(command);
    EXPECT_EQ(result.code, 0) << result.output_tail;
    EXPECT_EQ(result.output_tail, "");
}

TEST(CompletedWords, AreNoneWithoutAStoreOrWithOneThatIsDamaged) {
    const experiment::TempFolder folder;
    CommonOptions options;
    options.db = folder.path() / "a.db";
    EXPECT_EQ(completed_words(options, Completed::references), "");
    EXPECT_FALSE(std::filesystem::exists(*options.db));
    std::ofstream(*options.db) << "no database, and longer than the header of one would have to be";
    EXPECT_EQ(completed_words(options, Completed::references), "");
    EXPECT_EQ(completed_words(options, Completed::baselines), "");
}

/// The words of `lines` without what they are.
std::vector<std::string> words_of(const std::string& lines) {
    std::vector<std::string> words;
    std::istringstream rest(lines);
    for (std::string line; std::getline(rest, line);) {
        words.push_back(line.substr(0, line.find('\t')));
    }
    return words;
}

/// Experiments whose labels are these, oldest first; their uuids are 0..., 1..., 2...
CommonOptions
store_with(const std::filesystem::path& file, const std::vector<std::string>& labels) {
    db::Store store(file, db::OpenMode::create);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const char digit = static_cast<char>('0' + i);
        Experiment experiment;
        experiment.uuid = test::uuid_of(digit);
        experiment.started_at = "2026-01-0" + std::string(1, static_cast<char>('1' + i));
        experiment.label = labels[i];
        Run run = test::step_run(IndexMode::stream, {9});
        run.uuid = std::string(31, digit) + "f";
        experiment.runs = {run};
        store.add_experiment(experiment);
    }
    CommonOptions options;
    options.db = file;
    return options;
}

TEST(CompletedWords, AreWhatReferencesCanNameNewestFirstAndEachOnce) {
    const experiment::TempFolder folder;
    const CommonOptions options = store_with(folder.path() / "a.db", {"old", "new", "old"});
    {
        db::Store store(*options.db, db::OpenMode::write);
        store.tag("release", test::uuid_of('1'));
        store.set_baseline({.name = "main", .runs = {std::string(31, '0') + "f"}});
        store.set_baseline({.name = "main", .runs = {std::string(31, '1') + "f"}});
    }
    const std::string lines = completed_words(options, Completed::references);
    EXPECT_THAT(
        words_of(lines),
        testing::ElementsAre(
            "@latest",
            "@latest~1",
            "release",
            "baseline/main",
            "old",
            "new",
            "22222222",
            "11111111",
            "00000000"
        )
    );
    EXPECT_THAT(lines, HasSubstr("\nrelease\ttag of 11111111\n"));
    EXPECT_THAT(
        words_of(completed_words(options, Completed::baselines)), testing::ElementsAre("main")
    );
}

TEST(CompletedWords, SayTheirKindWhereTheNameAloneCouldBeAnother) {
    const experiment::TempFolder folder;
    const CommonOptions options =
        store_with(folder.path() / "a.db", {"a/b", "c0ffee", "x.db", "both", "two words"});
    db::Store(*options.db, db::OpenMode::write).tag("both", test::uuid_of('0'));
    EXPECT_THAT(
        words_of(completed_words(options, Completed::references)),
        testing::IsSupersetOf(
            {"tag:both", "label:both", "label:a/b", "label:c0ffee", "label:x.db", "two words"}
        )
    );
}

} // namespace
} // namespace kvprof::cli
