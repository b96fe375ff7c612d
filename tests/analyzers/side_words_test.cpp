#include "analyzers/side_words.h"

#include "analyzers/compare_words.h"
#include "analyzers/figures.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Change = std::function<void(kvprof::Run&)>;

/// Two sides of one experiment after a change of the candidate.
Comparison compared(
    const Change& change, std::pair<const char*, const char*> labels, CompareOptions how = {}
) {
    const kvprof::Run base = step_run(IndexMode::stream, {5});
    kvprof::Run candidate = base;
    change(candidate);
    how.is_interleaved = true;
    return compare(side_of(labels.first, {base}), side_of(labels.second, {candidate}), how);
}

CompareOptions programs() {
    CompareOptions how;
    how.treatment = {"program"};
    return how;
}

TEST(SideWords, NameTwoProgramsAndTheirBuilds) {
    const Comparison comparison = compared(
        [](kvprof::Run& run) {
            run.environment.binary = "77aa";
            run.environment.build = "0.2.0 (def5678, Release)";
        },
        {"A (program=base)", "B (program=head)"},
        programs()
    );
    EXPECT_EQ(describe_changes(comparison), "program: A (program=base) -> B (program=head)");
    EXPECT_EQ(
        describe_sides(comparison),
        "1 + 1 runs, interleaved; same device; two builds: 0.1.0 (abc1234, Release) -> 0.2.0 "
        "(def5678, Release)"
    );
}

TEST(SideWords, TellBuildsOfOneNameByTheirIds) {
    const auto change = [](kvprof::Run& run) { run.environment.binary = "77aa"; };
    EXPECT_THAT(
        describe_sides(compared(change, {"a", "b"}, programs())),
        testing::EndsWith("same device; two builds: build ids 5e1f -> 77aa")
    );
    EXPECT_THAT(
        describe_sides(compared(change, {"a", "b"})), // not declared
        testing::EndsWith("two builds: build ids 5e1f -> 77aa; concerns: 1")
    );
}

TEST(SideWords, NameRevisionsOrReferencesWhereNoFieldDiffers) {
    const auto nothing = [](kvprof::Run&) {};
    EXPECT_EQ(
        describe_changes(compared(nothing, {"main", "head"})), "no field differs: main -> head"
    );
    EXPECT_EQ(describe_changes(compared(nothing, {"main", "main"})), "no field differs");
    EXPECT_THAT(
        describe_sides(compared(nothing, {"main", "head"})), HasSubstr("same device and build")
    );
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.git_revision = "1a2b";
    kvprof::Run candidate = base;
    candidate.environment.git_revision = "3c4d";
    EXPECT_EQ(
        describe_changes(compare(side_of("main", {base}), side_of("head", {candidate}))),
        "git-revision: 1a2b -> 3c4d"
    );
}

TEST(SideWords, LeaveAnOptionAlone) {
    CompareOptions how;
    how.treatment = {"seed"};
    const Comparison comparison =
        compared([](kvprof::Run& run) { run.step.seed = 1; }, {"A (seed=42)", "B (seed=1)"}, how);
    EXPECT_EQ(describe_changes(comparison), "seed: 42 -> 1");
}

TEST(SideWords, ListTheEnvironmentsOfBothSides) {
    const Comparison comparison =
        compared([](kvprof::Run& run) { run.environment.driver = "590.1"; }, {"a", "b"});
    EXPECT_THAT(
        environments_of(comparison),
        ElementsAre(
            testing::AllOf(testing::StartsWith("base: cuda"), HasSubstr("580.95")),
            testing::AllOf(testing::StartsWith("candidate: cuda"), HasSubstr("590.1"))
        )
    );
    EXPECT_THAT(
        environments_of(compared([](kvprof::Run&) {}, {"a", "b"})),
        ElementsAre(testing::StartsWith("cuda"))
    );
}

TEST(Notes, GroupExcludedRunsByTheirKind) {
    Comparison comparison = compared([](kvprof::Run&) {}, {"a", "b"});
    const auto exclude = [&](RunState state, const char* reason) {
        ExcludedRun run;
        run.state = state;
        run.reason = reason;
        comparison.base.excluded.push_back(run);
    };
    exclude(RunState::voided, "not-steady: 2.4 % after 10 s");
    exclude(RunState::voided, "hw-slowdown: in 1 of 9 readings");
    exclude(RunState::voided, "not-steady: 3.1 % after 10 s");
    exclude(RunState::invalid, "an id differs");
    exclude(RunState::invalid, "an id differs");
    EXPECT_THAT(
        notes_of(comparison),
        ElementsAre(
            "base: 2 runs void and replaced: not-steady; first: 2.4 % after 10 s",
            "base: left out a run that is void: hw-slowdown: in 1 of 9 readings",
            "base: 2 runs left out that are invalid: an id differs"
        )
    );
}

TEST(Refusal, OfAnotherMethodListsTheFiguresOfEveryRow) {
    const Comparison comparison =
        compared([](kvprof::Run& run) { run.environment.method = "2"; }, {"old", "new"});
    EXPECT_EQ(comparison.verdict, Verdict::not_comparable);
    bool is_listed = false;
    for (const Delta& row : comparison.deltas) {
        is_listed = is_listed || (row.id == "step.launches" && row.base.summary.has_value());
        EXPECT_EQ(row.reason, "method") << row.id;
    }
    EXPECT_TRUE(is_listed);
}

} // namespace
} // namespace kvprof::analyzers
