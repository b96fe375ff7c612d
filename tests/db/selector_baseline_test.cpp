#include "capture/model/error.h"
#include "db/selector.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using test::error_of;
using test::uuid_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Experiment e, A/B, with the runs b (place 0, side a), a (void; place 1, side b) and 3 (its
/// second attempt, batch 16); experiment f, a later matrix, with the runs 1 (rectangle) and 2
/// (stream).
class SideAndBaselineTest : public testing::Test {
  protected:
    test::StoreFolder folder_;
    Store store_{folder_.file(), OpenMode::create};

    SideAndBaselineTest() {
        Experiment ab = test::filled_experiment();
        std::swap(ab.runs[0], ab.runs[1]);
        ab.runs.push_back(ab.runs[1]);
        ab.runs[2].uuid = uuid_of('3');
        ab.runs[2].step.batch = 16;
        for (std::size_t i = 0; i < ab.runs.size(); ++i) {
            ab.runs[i].position = static_cast<std::int64_t>(i);
        }
        ab.runs[0].ab = AbPlace{.side = AbSide::a, .block = 0, .place = 0, .attempt = 0};
        ab.runs[1].ab = AbPlace{.side = AbSide::b, .block = 0, .place = 1, .attempt = 0};
        ab.runs[1].status.state = RunState::voided;
        ab.runs[2].ab = AbPlace{.side = AbSide::b, .block = 0, .place = 1, .attempt = 1};
        store_.add_experiment(ab);
        Experiment matrix;
        matrix.uuid = uuid_of('f');
        matrix.started_at = "2026-01-03T00:00:00Z";
        matrix.runs = {
            test::step_run(IndexMode::rectangle, {9}), test::step_run(IndexMode::stream, {5})};
        matrix.runs[1].position = 1;
        store_.add_experiment(matrix);
    }

    void set(const std::string& name, const std::vector<std::string>& runs) {
        store_.set_baseline(
            {.name = name,
             .set_at = "2026-01-04T00:00:00Z",
             .author = "Ada",
             .reason = "release",
             .runs = runs}
        );
    }

    [[nodiscard]] std::vector<std::string> runs_of(const char* reference) const {
        return resolve(store_, reference).runs;
    }

    [[nodiscard]] std::string usage_error(const char* reference) const {
        return error_of<UsageError>([&] { std::ignore = resolve(store_, reference); });
    }
};

TEST_F(SideAndBaselineTest, TakesTheRunsOfOneSide) {
    EXPECT_THAT(runs_of("@latest~1/side=a"), ElementsAre(uuid_of('b')));
    EXPECT_THAT(runs_of("@latest~1/side=b"), ElementsAre(uuid_of('a'), uuid_of('3')));
    EXPECT_EQ(resolve(store_, "@latest~1/side=b").experiment, uuid_of('e'));
}

TEST_F(SideAndBaselineTest, TakesOneSideAtTheValuesOfFields) {
    EXPECT_THAT(runs_of("@latest~1/side=b,batch=16"), ElementsAre(uuid_of('3')));
    EXPECT_THAT(runs_of("@latest~1/batch=16,side=b"), ElementsAre(uuid_of('3')));
    EXPECT_THAT(usage_error("@latest~1/side=a,batch=16"), HasSubstr("no run has these values"));
}

TEST_F(SideAndBaselineTest, RefusesASideOfRunsThatStandOnNone) {
    EXPECT_THAT(
        usage_error("@latest/side=a"),
        AllOf(HasSubstr("@latest is no A/B experiment"), HasSubstr("kvprof run --ab"))
    );
}

TEST_F(SideAndBaselineTest, NamesTheSidesWhenThereIsNoneOfThatName) {
    EXPECT_THAT(usage_error("@latest~1/side=c"), AllOf(HasSubstr("side"), HasSubstr("a, b")));
    EXPECT_THAT(usage_error("@latest~1/sidde=a"), HasSubstr("did you mean side?"));
}

TEST_F(SideAndBaselineTest, TakesTheRunsOfABaseline) {
    set("main", {uuid_of('2'), uuid_of('1')});
    const Selection main = resolve(store_, "baseline/main");
    EXPECT_THAT(main.runs, ElementsAre(uuid_of('1'), uuid_of('2')));
    EXPECT_EQ(main.experiment, uuid_of('f'));
    EXPECT_EQ(main.reference, "baseline/main");
    EXPECT_EQ(main.store, folder_.file());
}

TEST_F(SideAndBaselineTest, NamesNoExperimentWhenABaselineHoldsRunsOfSeveral) {
    set("main", {uuid_of('1'), uuid_of('3')});
    const Selection main = select(folder_.file(), "baseline/main");
    EXPECT_THAT(main.runs, ElementsAre(uuid_of('3'), uuid_of('1')));
    EXPECT_EQ(main.experiment, "");
    EXPECT_EQ(store_.load_runs(main.runs).size(), 2U);
}

TEST_F(SideAndBaselineTest, TakesTheNewestRevisionOfABaseline) {
    set("main", {uuid_of('1')});
    set("main", {uuid_of('2')});
    EXPECT_THAT(runs_of("baseline/main"), ElementsAre(uuid_of('2')));
}

TEST_F(SideAndBaselineTest, TakesTheRunsOfABaselineThatHaveTheValues) {
    set("main", {uuid_of('a'), uuid_of('b'), uuid_of('1'), uuid_of('2'), uuid_of('3')});
    EXPECT_THAT(runs_of("baseline/main/batch=64"), ElementsAre(uuid_of('1'), uuid_of('2')));
    EXPECT_EQ(resolve(store_, "baseline/main/batch=64").experiment, uuid_of('f'));
    EXPECT_THAT(runs_of("baseline/main/batch=64,index-mode=stream"), ElementsAre(uuid_of('2')));
    EXPECT_THAT(runs_of("baseline/main/side=b"), ElementsAre(uuid_of('a'), uuid_of('3')));
}

TEST_F(SideAndBaselineTest, ListsTheBaselinesWhenThereIsNoneOfThatName) {
    EXPECT_THAT(usage_error("baseline/main"), HasSubstr("kvprof baseline set"));
    set("main", {uuid_of('1')});
    set("nightly", {uuid_of('1')});
    set("nightly", {uuid_of('2')});
    EXPECT_THAT(
        usage_error("baseline/mian"),
        AllOf(HasSubstr("did you mean main?"), HasSubstr("the baselines are: main, nightly"))
    );
    EXPECT_THAT(
        usage_error("baseline/q/batch=64"), AllOf(HasSubstr("baseline/q"), Not(HasSubstr("mean")))
    );
    EXPECT_THAT(usage_error("baselin/main"), HasSubstr("did you mean baseline/main?"));
}

TEST_F(SideAndBaselineTest, TakesABaselineThatIsCalledAsAFileWouldBe) {
    set("v1.db", {uuid_of('1')});
    EXPECT_THAT(select(folder_.file(), "baseline/v1.db").runs, ElementsAre(uuid_of('1')));
}

// Stores of schema 2 took such a tag; a baseline of the name takes its place.
TEST_F(SideAndBaselineTest, TakesAnOldTagUntilABaselineHasItsName) {
    SQLite::Database(folder_.file().string(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO tag SELECT 'baseline/main', experiment_id, id FROM run "
              "WHERE uuid LIKE '3333%'");
    EXPECT_THAT(runs_of("baseline/main"), ElementsAre(uuid_of('3')));
    set("main", {uuid_of('1')});
    EXPECT_THAT(runs_of("baseline/main"), ElementsAre(uuid_of('1')));
    EXPECT_THAT(runs_of("tag:baseline/main"), ElementsAre(uuid_of('3')));
}

} // namespace
} // namespace kvprof::db
