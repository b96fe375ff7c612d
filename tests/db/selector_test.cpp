#include "db/selector.h"

#include "capture/model/error.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using test::error_of;
using test::uuid_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kOld = "abcdef00000000000000000000000001";
constexpr const char* kNew = "abcdef99000000000000000000000002";

/// Two experiments: the old one, "main", with one run; the new one with rectangle and stream runs.
class SelectorTest : public testing::Test {
  protected:
    test::StoreFolder folder_;
    Store store_{folder_.file(), OpenMode::create};

    SelectorTest() {
        Experiment old;
        old.uuid = kOld;
        old.started_at = "2026-01-01T00:00:00Z";
        old.label = "main";
        old.runs = {test::step_run(IndexMode::stream, {5})};
        old.runs[0].uuid = uuid_of('d');
        store_.add_experiment(old);
        Experiment fresh;
        fresh.uuid = kNew;
        fresh.started_at = "2026-01-02T00:00:00Z";
        fresh.label = "pr";
        fresh.runs = {
            test::step_run(IndexMode::rectangle, {9}), test::step_run(IndexMode::stream, {5})};
        fresh.runs[1].position = 1;
        store_.add_experiment(fresh);
    }

    [[nodiscard]] std::string experiment_of(const char* reference) const {
        return resolve(store_, reference).experiment;
    }

    [[nodiscard]] std::string usage_error(const char* reference) const {
        return error_of<UsageError>([&] { std::ignore = resolve(store_, reference); });
    }
};

TEST_F(SelectorTest, CountsExperimentsBackFromTheNewest) {
    EXPECT_EQ(experiment_of("@latest"), kNew);
    EXPECT_EQ(experiment_of("@latest~0"), kNew);
    EXPECT_EQ(experiment_of("@latest~1"), kOld);
    EXPECT_THAT(
        usage_error("@latest~2"), HasSubstr("holds 2 experiments, the oldest is @latest~1")
    );
    EXPECT_THAT(usage_error("@latest~x"), HasSubstr("@latest~x"));
}

TEST_F(SelectorTest, TakesAllRunsOfAnExperimentInOrder) {
    const Selection all = resolve(store_, "@latest");
    EXPECT_THAT(all.runs, ElementsAre(uuid_of('1'), uuid_of('2')));
    EXPECT_EQ(all.store, folder_.file());
    EXPECT_EQ(all.reference, "@latest");
}

TEST_F(SelectorTest, TakesAnIdPrefixOfSixDigits) {
    EXPECT_EQ(experiment_of("abcdef9"), kNew);
    EXPECT_EQ(experiment_of("ABCDEF0"), kOld);
    EXPECT_EQ(experiment_of("id:abcdef00"), kOld);
    EXPECT_THAT(usage_error("abcde"), HasSubstr("6 hex digits at least"));
}

TEST_F(SelectorTest, TakesTheIdOfARun) {
    const Selection one = resolve(store_, "111111");
    EXPECT_EQ(one.experiment, kNew);
    EXPECT_THAT(one.runs, ElementsAre(uuid_of('1')));
}

TEST_F(SelectorTest, ListsTheCandidatesOfAnAmbiguousPrefix) {
    EXPECT_THAT(
        usage_error("abcdef"), AllOf(HasSubstr(kOld), HasSubstr(kNew), HasSubstr("more digits"))
    );
}

TEST_F(SelectorTest, TakesLabelsAndTags) {
    store_.tag("team/main", kOld);
    store_.tag("first", uuid_of('1'));
    EXPECT_EQ(experiment_of("main"), kOld);
    EXPECT_EQ(experiment_of("label:pr"), kNew);
    EXPECT_EQ(experiment_of("team/main"), kOld);
    EXPECT_THAT(resolve(store_, "first").runs, ElementsAre(uuid_of('1')));
}

TEST_F(SelectorTest, ALabelNamesTheNewestExperimentThatCarriesIt) {
    Experiment again;
    again.uuid = uuid_of('7');
    again.started_at = "2026-01-03T00:00:00Z";
    again.label = "main";
    store_.add_experiment(again);
    EXPECT_EQ(experiment_of("main"), uuid_of('7'));
}

TEST_F(SelectorTest, RefusesAWordThatIsALabelAndAnotherTag) {
    store_.tag("main", kNew);
    EXPECT_THAT(
        usage_error("main"),
        AllOf(HasSubstr("tag:main"), HasSubstr("label:main"), HasSubstr("say which"))
    );
    EXPECT_EQ(experiment_of("tag:main"), kNew);
    EXPECT_EQ(experiment_of("label:main"), kOld);
}

TEST_F(SelectorTest, TakesAWordThatNamesOneThingTwice) {
    store_.tag("main", kOld);
    EXPECT_EQ(experiment_of("main"), kOld);
}

TEST_F(SelectorTest, SuggestsTheNearestName) {
    EXPECT_THAT(
        usage_error("mian"), AllOf(HasSubstr("none of the 2 experiments"), HasSubstr("mean main?"))
    );
    EXPECT_THAT(usage_error("@lates"), HasSubstr("mean @latest?"));
    EXPECT_THAT(usage_error("label:nothing"), HasSubstr("none of the 2 experiments"));
}

TEST_F(SelectorTest, ChoosesRunsByTheirFields) {
    EXPECT_THAT(resolve(store_, "@latest/index-mode=stream").runs, ElementsAre(uuid_of('2')));
    EXPECT_THAT(
        resolve(store_, "pr/index-mode=rectangle,batch=64,executor=cuda").runs,
        ElementsAre(uuid_of('1'))
    );
    EXPECT_EQ(resolve(store_, "@latest/batch=64").runs.size(), 2U);
}

TEST_F(SelectorTest, NamesTheVariantsWhenNoneHasTheValues) {
    EXPECT_THAT(
        usage_error("@latest/batch=8"),
        AllOf(
            HasSubstr("no run has these values"),
            HasSubstr("index-mode=rectangle; index-mode=stream")
        )
    );
}

TEST_F(SelectorTest, SuggestsTheNearestFieldAndValue) {
    EXPECT_THAT(usage_error("@latest/index-mod=stream"), HasSubstr("did you mean index-mode?"));
    EXPECT_THAT(usage_error("@latest/batch=64,index-mod=x"), HasSubstr("did you mean index-mode?"));
    EXPECT_THAT(usage_error("@latest/index-mode=steam"), HasSubstr("stream"));
}

TEST_F(SelectorTest, SaysThatAStoreIsEmpty) {
    const Store empty(folder_.file("empty.db"), OpenMode::create);
    EXPECT_THAT(
        error_of<UsageError>([&] { std::ignore = resolve(empty, "@latest"); }),
        HasSubstr("holds no experiment")
    );
}

TEST_F(SelectorTest, TakesADatabaseFile) {
    const std::filesystem::path missing = folder_.file("missing.db");
    const Selection newest = select(missing, folder_.file().string());
    EXPECT_EQ(newest.store, folder_.file());
    EXPECT_EQ(newest.experiment, kNew);
    const Selection one = select(missing, folder_.file().string() + "/index-mode=stream");
    EXPECT_THAT(one.runs, ElementsAre(uuid_of('2')));
    EXPECT_EQ(store_.load_runs(one.runs).at(0).step.index_mode, IndexMode::stream);
}

TEST_F(SelectorTest, TakesACalibrationOfAFileOnlyWhenThereIsNothingElse) {
    Experiment noise;
    noise.uuid = uuid_of('c');
    noise.started_at = "2026-01-03T00:00:00Z";
    noise.kind = ExperimentKind::calibration;
    store_.add_experiment(noise);
    EXPECT_EQ(select(folder_.file(), folder_.file().string()).experiment, kNew);
    EXPECT_EQ(select(folder_.file(), "@latest").experiment, uuid_of('c'));
    Store(folder_.file("noise.db"), OpenMode::create).add_experiment(noise);
    EXPECT_EQ(select(folder_.file(), folder_.file("noise.db").string()).experiment, uuid_of('c'));
}

TEST_F(SelectorTest, TakesAFileWhoseNameLooksLikeAFilter) {
    const std::filesystem::path odd = folder_.file("batch=8.db");
    Store(odd, OpenMode::create).add_experiment(test::filled_experiment());
    EXPECT_EQ(select(folder_.file(), odd.string()).experiment, uuid_of('e'));
}

TEST_F(SelectorTest, SelectsInTheDefaultStore) {
    EXPECT_EQ(select(folder_.file(), "main").experiment, kOld);
    EXPECT_THAT(
        error_of<UsageError>([&] { std::ignore = select(folder_.file("none.db"), "main"); }),
        AllOf(HasSubstr("there is no store at"), HasSubstr("kvprof run"))
    );
    EXPECT_THAT(
        error_of<UsageError>([&] { std::ignore = select(folder_.file(), "gone.db"); }),
        HasSubstr("there is no file of that name")
    );
}

} // namespace
} // namespace kvprof::db
