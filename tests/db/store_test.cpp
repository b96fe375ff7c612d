#include "db/store.h"

#include "capture/model/error.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using test::error_of;
using test::filled_experiment;
using test::filled_run;
using test::uuid_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreTest : public testing::Test {
  protected:
    test::StoreFolder folder_;
    Store store_{folder_.file(), OpenMode::create};

    [[nodiscard]] std::int64_t rows_of(const std::string& table) const {
        SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
        return raw.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }

    Experiment add_empty(char digit, const std::string& started_at, const std::string& label = {}) {
        Experiment experiment;
        experiment.uuid = uuid_of(digit);
        experiment.started_at = started_at;
        experiment.label = label;
        store_.add_experiment(experiment);
        return experiment;
    }
};

TEST_F(StoreTest, ListsTheExperimentsOfAKind) {
    store_.add_experiment(filled_experiment());
    add_empty('1', "2026-01-01T00:00:00Z");
    EXPECT_EQ(store_.list_experiments().size(), 2U);
    EXPECT_EQ(store_.list_experiments(ExperimentKind::ab).size(), 1U);
    EXPECT_EQ(store_.list_experiments(ExperimentKind::ab).at(0).uuid, uuid_of('e'));
    EXPECT_EQ(store_.list_experiments(ExperimentKind::matrix).at(0).uuid, uuid_of('1'));
    EXPECT_THAT(store_.list_experiments(ExperimentKind::calibration), IsEmpty());
}

TEST_F(StoreTest, FindsTheCalibrationsOfAStep) {
    const auto add = [&](char digit, const std::string& started_at, std::int64_t batch) {
        Experiment experiment;
        experiment.uuid = uuid_of(digit);
        experiment.started_at = started_at;
        experiment.kind = ExperimentKind::calibration;
        experiment.runs = {filled_run()};
        experiment.runs[0].uuid = uuid_of(static_cast<char>(digit + 1));
        experiment.runs[0].step.batch = batch;
        store_.add_experiment(experiment);
    };
    store_.add_experiment(filled_experiment()); // of the step, and no calibration
    add('1', "2026-01-01T00:00:00Z", 8);
    add('3', "2026-01-02T00:00:00Z", 16);
    add('5', "2026-01-03T00:00:00Z", 8);
    Experiment without_runs;
    without_runs.uuid = uuid_of('7');
    without_runs.kind = ExperimentKind::calibration;
    store_.add_experiment(without_runs);
    StepSpec step = filled_run().step;
    step.batch = 8;
    EXPECT_THAT(store_.calibrations_of(step), ElementsAre(uuid_of('5'), uuid_of('1')));
    step.batch = 9;
    EXPECT_THAT(store_.calibrations_of(step), IsEmpty());
}

TEST_F(StoreTest, RemovingAnExperimentLeavesNoRowBehind) {
    store_.add_experiment(filled_experiment());
    store_.tag("keep", uuid_of('e'));
    store_.tag("one", uuid_of('a'));
    store_.remove(uuid_of('e'));
    for (const char* table :
         {"experiment",
          "run",
          "run_param",
          "run_fact",
          "foreign_process",
          "sample",
          "op_stat",
          "memory_stat",
          "run_note",
          "ab_design",
          "ab_treatment",
          "tag"}) {
        EXPECT_EQ(rows_of(table), 0) << table;
    }
}

TEST_F(StoreTest, RemovingARunLeavesItsExperiment) {
    store_.add_experiment(filled_experiment());
    store_.remove(uuid_of('a'));
    EXPECT_EQ(store_.load_experiment(uuid_of('e')).runs.size(), 1U);
    EXPECT_THAT(
        error_of<StoreError>([&] { store_.remove(uuid_of('a')); }), HasSubstr("there is none")
    );
}

TEST_F(StoreTest, ListsTheNewestExperimentFirst) {
    add_empty('1', "2026-01-01T00:00:00Z");
    add_empty('3', "2026-01-03T00:00:00Z");
    add_empty('2', "2026-01-02T00:00:00Z");
    add_empty('4', "2026-01-03T00:00:00Z");
    std::string order;
    for (const ExperimentSummary& row : store_.list_experiments()) {
        order += row.uuid.front();
    }
    EXPECT_EQ(order, "4321");
}

TEST_F(StoreTest, SumsUpAnExperiment) {
    Experiment experiment = filled_experiment();
    experiment.runs[1].status = {};
    store_.add_experiment(experiment);
    store_.tag("b", experiment.uuid);
    store_.tag("a", experiment.uuid);
    store_.tag("of-a-run", uuid_of('a'));
    EXPECT_THAT(
        store_.list_experiments(),
        ElementsAre(ExperimentSummary{
            .uuid = experiment.uuid,
            .started_at = experiment.started_at,
            .label = "demo",
            .command_line = experiment.command_line,
            .state = ExperimentState::complete,
            .kind = ExperimentKind::ab,
            .runs = 2,
            .complete_runs = 1,
            .variants = 1,
            .tags = {"a", "b"}})
    );
}

TEST_F(StoreTest, OrdersRunsByPosition) {
    Experiment experiment = filled_experiment();
    experiment.runs[0].position = 9;
    store_.add_experiment(experiment);
    const std::vector<RunSummary> runs = store_.list_runs(experiment.uuid);
    EXPECT_EQ(runs.at(0).uuid, uuid_of('b'));
    EXPECT_EQ(runs.at(1).position, 9);
    EXPECT_EQ(store_.load_experiment(experiment.uuid).runs.at(0).uuid, uuid_of('b'));
}

TEST_F(StoreTest, FinishesAnExperiment) {
    add_empty('1', "2026-01-01T00:00:00Z");
    store_.finish_experiment(uuid_of('1'), ExperimentState::interrupted);
    EXPECT_EQ(store_.load_experiment(uuid_of('1')).state, ExperimentState::interrupted);
}

TEST_F(StoreTest, PutsARunThatObservedMoreInThePlaceOfTheFirst) {
    Experiment experiment = filled_experiment();
    store_.add_experiment(experiment);
    kvprof::Run run = experiment.runs.front();
    run.notes = {"observed more"};
    store_.replace_run(experiment.uuid, run);
    EXPECT_EQ(store_.load_runs({run.uuid}).front().notes.front(), "observed more");
    EXPECT_EQ(store_.list_runs(experiment.uuid).size(), experiment.runs.size());
}

TEST_F(StoreTest, ARunThatIsReplacedKeepsItsTag) {
    const Experiment experiment = filled_experiment();
    store_.add_experiment(experiment);
    store_.tag("one", uuid_of('a'));
    store_.replace_run(experiment.uuid, experiment.runs.front());
    EXPECT_THAT(store_.tags(), ElementsAre(Tag{"one", experiment.uuid, uuid_of('a')}));
}

TEST_F(StoreTest, NamesTheExperimentOfARun) {
    store_.add_experiment(filled_experiment());
    EXPECT_EQ(store_.experiment_of(uuid_of('b')), uuid_of('e'));
    EXPECT_THAT(
        error_of<StoreError>([&] { std::ignore = store_.experiment_of(uuid_of('9')); }),
        HasSubstr("could not read run 9999")
    );
}

TEST_F(StoreTest, RemovesSeveralOrNone) {
    store_.add_experiment(filled_experiment());
    EXPECT_THROW(store_.remove(std::vector{uuid_of('a'), uuid_of('9')}), StoreError);
    EXPECT_EQ(store_.list_runs(uuid_of('e')).size(), 2U);
    store_.remove(std::vector{uuid_of('a'), uuid_of('b')});
    EXPECT_THAT(store_.list_runs(uuid_of('e')), IsEmpty());
}

TEST_F(StoreTest, RefusesARunOfAnUnknownExperiment) {
    EXPECT_THAT(
        error_of<StoreError>([&] { store_.add_run(uuid_of('9'), filled_run()); }),
        HasSubstr("could not read experiment 9999")
    );
}

TEST_F(StoreTest, RollsBackAnExperimentWhoseSecondRunFails) {
    Experiment experiment = filled_experiment();
    experiment.runs[1].uuid = experiment.runs[0].uuid;
    EXPECT_THAT(
        error_of<StoreError>([&] { store_.add_experiment(experiment); }),
        HasSubstr("UNIQUE constraint failed: run.uuid")
    );
    EXPECT_THAT(store_.list_experiments(), IsEmpty());
    EXPECT_EQ(rows_of("run_param"), 0);
    store_.add_experiment(filled_experiment());
}

TEST_F(StoreTest, MovesATag) {
    add_empty('1', "2026-01-01T00:00:00Z");
    add_empty('2', "2026-01-01T00:00:00Z");
    store_.tag("main", uuid_of('1'));
    store_.tag("main", uuid_of('2'));
    EXPECT_THAT(store_.tags(), ElementsAre(Tag{"main", uuid_of('2'), std::nullopt}));
    store_.untag("main");
    EXPECT_THAT(store_.tags(), IsEmpty());
    EXPECT_THAT(error_of<UsageError>([&] { store_.untag("main"); }), HasSubstr("\"main\""));
}

TEST_F(StoreTest, RefusesTagsThatReadAsAnotherReference) {
    add_empty('1', "2026-01-01T00:00:00Z");
    for (const char* name : {"", "@latest", "label:x", "a b", "x/batch=8", "baseline/main"}) {
        EXPECT_THROW(store_.tag(name, uuid_of('1')), UsageError) << name;
    }
    store_.tag("base/main", uuid_of('1'));
}

TEST_F(StoreTest, ReportsAWordThatItDoesNotKnow) {
    store_.add_experiment(filled_experiment());
    SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READWRITE);
    raw.exec("UPDATE op_stat SET op = 'teleport'");
    EXPECT_THAT(
        error_of<StoreError>([&] { std::ignore = store_.load_runs({uuid_of('a')}).front(); }),
        HasSubstr("\"teleport\" has no meaning in this program")
    );
}

TEST_F(StoreTest, NotesAFieldThatItDoesNotKnow) {
    store_.add_experiment(filled_experiment());
    SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READWRITE);
    raw.exec("INSERT INTO run_param SELECT id, 'step', 'warp', '9' FROM run");
    EXPECT_THAT(
        store_.load_runs({uuid_of('a')}).front().notes,
        testing::Contains("unknown-field: warp=9 is stored, and not known here")
    );
}

TEST(NewUuid, HasThirtyTwoHexDigitsAndDiffers) {
    EXPECT_THAT(new_uuid(), testing::MatchesRegex("[0-9a-f]{32}"));
    EXPECT_NE(new_uuid(), new_uuid());
}

} // namespace
} // namespace kvprof::db
