#include "capture/model/error.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using test::error_of;
using test::filled_experiment;
using test::uuid_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Runs a and b in experiment e, run 1 in the older experiment f.
class BaselineTest : public testing::Test {
  protected:
    test::StoreFolder folder_;
    Store store_{folder_.file(), OpenMode::create};

    BaselineTest() {
        store_.add_experiment(filled_experiment());
        Experiment older;
        older.uuid = uuid_of('f');
        older.started_at = "2026-01-01T00:00:00Z";
        older.runs = {test::step_run(IndexMode::rectangle, {9})};
        store_.add_experiment(older);
    }

    static Baseline baseline(const std::string& name, const std::string& digits) {
        Baseline made{
            .name = name, .set_at = "2026-01-03T00:00:00Z", .author = "Ada", .reason = "release 1"};
        for (const char digit : digits) {
            made.runs.push_back(uuid_of(digit));
        }
        return made;
    }

    [[nodiscard]] std::string usage_error_of_removing(const std::string& uuid) {
        return error_of<UsageError>([&] { store_.remove(uuid); });
    }
};

TEST_F(BaselineTest, SurvivesARoundTrip) {
    EXPECT_EQ(store_.set_baseline(baseline("main", "ab")), 1);
    Baseline wanted = baseline("main", "ab");
    wanted.revision = 1;
    EXPECT_THAT(Store(folder_.file(), OpenMode::read).baselines(), ElementsAre(wanted));
}

TEST_F(BaselineTest, HoldsRunsInTheOrderInWhichTheyWereMeasuredAndEachOnce) {
    store_.set_baseline(baseline("main", "ba1a"));
    EXPECT_THAT(
        store_.baselines().at(0).runs, ElementsAre(uuid_of('1'), uuid_of('a'), uuid_of('b'))
    );
}

TEST_F(BaselineTest, SetAnewGetsTheNextRevisionOfItsName) {
    store_.set_baseline(baseline("main", "a"));
    store_.set_baseline(baseline("nightly", "b"));
    Baseline again = baseline("main", "1");
    again.revision = 77;
    again.reason = "faster";
    EXPECT_EQ(store_.set_baseline(again), 2);
    const std::vector<Baseline> all = store_.baselines();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].revision, 2);
    EXPECT_EQ(all[0].reason, "faster");
    EXPECT_THAT(all[0].runs, ElementsAre(uuid_of('1')));
    EXPECT_EQ(all[1].revision, 1);
    EXPECT_THAT(all[1].runs, ElementsAre(uuid_of('a')));
    EXPECT_EQ(all[2].name, "nightly");
    EXPECT_EQ(all[2].revision, 1);
}

TEST_F(BaselineTest, LosesNothingWhenARunIsMissing) {
    store_.set_baseline(baseline("main", "a"));
    const std::vector<Baseline> before = store_.baselines();
    EXPECT_THAT(
        error_of<StoreError>([&] { store_.set_baseline(baseline("main", "b9")); }),
        HasSubstr("could not read run 9999")
    );
    EXPECT_EQ(store_.baselines(), before);
    EXPECT_EQ(store_.set_baseline(baseline("main", "b")), 2);
}

TEST_F(BaselineTest, RefusesToHoldNothing) {
    EXPECT_THAT(
        error_of<UsageError>([&] { store_.set_baseline(baseline("main", "")); }),
        HasSubstr("it would hold no run")
    );
    EXPECT_THAT(store_.baselines(), IsEmpty());
}

TEST_F(BaselineTest, RefusesNamesThatReadAsAnotherReference) {
    for (const char* name : {"", "@latest", "tag:x", "a b", "a/b", "batch=8", "a\tb", "a\x1b"}) {
        EXPECT_THROW(store_.set_baseline(baseline(name, "a")), UsageError) << name;
    }
    EXPECT_THAT(store_.baselines(), IsEmpty());
    store_.set_baseline(baseline("main-2.0_b@c", "a"));
}

TEST_F(BaselineTest, IsRemovedWithAllItsRevisions) {
    store_.set_baseline(baseline("main", "a"));
    store_.set_baseline(baseline("main", "b"));
    store_.set_baseline(baseline("nightly", "b"));
    store_.remove_baseline("main");
    ASSERT_EQ(store_.baselines().size(), 1U);
    EXPECT_EQ(store_.baselines()[0].name, "nightly");
    EXPECT_EQ(store_.set_baseline(baseline("main", "a")), 1);
    EXPECT_EQ(store_.list_runs(uuid_of('e')).size(), 2U);
}

TEST_F(BaselineTest, SuggestsTheNearestNameWhenThereIsNoneToRemove) {
    store_.set_baseline(baseline("main", "a"));
    EXPECT_THAT(
        error_of<UsageError>([&] { store_.remove_baseline("mian"); }),
        AllOf(HasSubstr("\"mian\""), HasSubstr("did you mean main?"))
    );
    EXPECT_EQ(store_.baselines().size(), 1U);
}

TEST_F(BaselineTest, KeepsTheRunsThatItsCurrentRevisionHolds) {
    store_.set_baseline(baseline("main", "a"));
    for (const char digit : {'a', 'e'}) {
        EXPECT_THAT(
            usage_error_of_removing(uuid_of(digit)),
            AllOf(
                HasSubstr("held by the baseline main"),
                HasSubstr("kvprof baseline rm main"),
                HasSubstr("kvprof baseline set main")
            )
        ) << digit;
    }
    EXPECT_THROW(store_.remove(std::vector{uuid_of('b'), uuid_of('a')}), UsageError);
    EXPECT_EQ(store_.list_runs(uuid_of('e')).size(), 2U);
    store_.remove(uuid_of('b'));
    store_.remove(uuid_of('f'));
    EXPECT_EQ(store_.list_runs(uuid_of('e')).size(), 1U);
}

TEST_F(BaselineTest, NamesEveryBaselineThatHoldsAnExperiment) {
    store_.set_baseline(baseline("nightly", "b"));
    store_.set_baseline(baseline("main", "ab"));
    EXPECT_THAT(usage_error_of_removing(uuid_of('e')), HasSubstr("baseline main, nightly"));
}

TEST_F(BaselineTest, LetsGoOfRunsThatOnlyAnOlderRevisionHolds) {
    store_.set_baseline(baseline("main", "ab"));
    store_.set_baseline(baseline("main", "b1"));
    store_.remove(uuid_of('a'));
    EXPECT_THAT(store_.baselines().at(1).runs, ElementsAre(uuid_of('b')));
    EXPECT_THAT(store_.baselines().at(0).runs, ElementsAre(uuid_of('1'), uuid_of('b')));
    store_.set_baseline(baseline("main", "1"));
    store_.remove(uuid_of('e'));
    ASSERT_EQ(store_.baselines().size(), 3U);
    EXPECT_THAT(store_.baselines()[2].runs, IsEmpty());
}

TEST_F(BaselineTest, LetsItsRunsGoOnceItIsRemoved) {
    store_.set_baseline(baseline("main", "a"));
    store_.remove_baseline("main");
    store_.remove(uuid_of('e'));
    SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(raw.execAndGet("SELECT count(*) FROM baseline_run").getInt(), 0);
}

TEST_F(BaselineTest, KeepsARunThatIsReplaced) {
    store_.set_baseline(baseline("main", "ab"));
    kvprof::Run more = filled_experiment().runs.front();
    more.notes = {"observed more"};
    store_.replace_run(uuid_of('e'), more);
    EXPECT_THAT(store_.baselines().at(0).runs, ElementsAre(uuid_of('a'), uuid_of('b')));
    EXPECT_EQ(store_.load_runs({uuid_of('a')}).front().notes, more.notes);
    EXPECT_EQ(store_.list_runs(uuid_of('e')).size(), 2U);
}

} // namespace
} // namespace kvprof::db
