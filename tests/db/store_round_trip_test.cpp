#include "capture/model/params.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvprof::db {
namespace {

using test::filled_experiment;
using test::filled_run;
using test::uuid_of;

/// Names of the fields that have their default value.
template<typename Spec>
std::vector<std::string> default_fields(const Spec& spec) {
    std::vector<std::string> names;
    const std::vector<Param> defaults = to_params(Spec{});
    const std::vector<Param> params = to_params(spec);
    for (std::size_t i = 0; i < params.size(); ++i) {
        if (params[i] == defaults[i]) {
            names.push_back(params[i].name);
        }
    }
    return names;
}

/// A traced step that is delayed: with filled_run(), every field is something else than its
/// default.
kvprof::Run delayed_run() {
    kvprof::Run run = test::traced_run();
    run.step.delay_op = "page-table";
    run.step.delay_us = 2.5;
    return run;
}

/// Names of the fields that have their default value in both.
template<typename Spec>
std::vector<std::string> default_fields(const Spec& a, const Spec& b) {
    const std::vector<std::string> of_b = default_fields(b);
    std::vector<std::string> names = default_fields(a);
    std::erase_if(names, [&](const std::string& name) {
        return std::find(of_b.begin(), of_b.end(), name) == of_b.end();
    });
    return names;
}

TEST(ExampleRuns, LeaveNoFieldAtItsDefault) {
    const kvprof::Run filled = filled_run();
    const kvprof::Run delayed = delayed_run();
    EXPECT_THAT(default_fields(filled.step, delayed.step), testing::IsEmpty());
    EXPECT_THAT(default_fields(filled.measure, delayed.measure), testing::IsEmpty());
    EXPECT_THAT(default_fields(filled.environment, delayed.environment), testing::IsEmpty());
}

// Each list names every member: a member that is added stops the build here, and asks for a column.
TEST(FilledRun, HasTheMembersThatTheStoreKnows) {
    const kvprof::Run run = filled_run();
    const auto& [uuid, variant, repeat, position, process, started, ab, step, measure, status, where, pool, check, nodes, cycle, warmup, samples, ops, memory, host_times, states, conditions, passes, calls, kernels, op_samples, step_records, graph_spans, events, marks, executables, slack, profile, ceilings, notes] =
        run;
    const kvprof::Run empty;
    EXPECT_NE(uuid, empty.uuid);
    EXPECT_NE(variant, empty.variant);
    EXPECT_NE(repeat, empty.repeat);
    EXPECT_NE(position, empty.position);
    EXPECT_NE(process, empty.process_id);
    EXPECT_NE(started, empty.started_at);
    const auto& [side, block, place, attempt] = ab.value();
    EXPECT_TRUE(side != AbSide{} && block != 0 && place != 0 && attempt != 0);
    EXPECT_NE(step, empty.step);
    EXPECT_NE(measure, empty.measure);
    EXPECT_NE(where, empty.environment);
    EXPECT_NE(nodes, empty.graph_nodes);
    EXPECT_NE(cycle, empty.cycle_steps);
    EXPECT_NE(warmup, empty.warmup_replays);
    EXPECT_EQ(notes.size(), 2U);
    // What passes beside the timing pass give is in store_trace_test.cpp, profiles in
    // store_profile_test.cpp, ceilings and least bytes in store_ceilings_test.cpp.
    EXPECT_FALSE(host_times || slack || profile || ceilings);
    EXPECT_TRUE(states.empty() && conditions.empty() && passes.empty() && calls.empty());
    EXPECT_TRUE(kernels.empty() && op_samples.empty() && step_records.empty() && events.empty());
    EXPECT_TRUE(graph_spans.empty() && marks.empty() && executables.empty());
    const auto& [state, reason, exit_code] = status;
    EXPECT_TRUE(state != RunState::complete && !reason.empty() && exit_code != 0);
    const auto& [tokens, slots] = pool;
    EXPECT_TRUE(tokens != 0 && slots != 0);
    const auto& [compared, error, rows] = check;
    EXPECT_TRUE(compared != 0 && error && rows != 0);
    const auto& [ordinal, replays, gpu_time, wall_time, discarded] = samples.at(1);
    EXPECT_TRUE(ordinal != 0 && replays != 0 && gpu_time.count() != 0 && wall_time.count() != 0);
    EXPECT_TRUE(discarded);
    const auto& [op, stage, placement, launches, copies, least] = ops.at(1);
    EXPECT_TRUE(op != OpKind{} && stage != Stage{} && placement != Placement{});
    EXPECT_TRUE(launches != 0 && copies != 0 && !least);
    const auto& [name, source, group, bytes] = memory.at(1);
    EXPECT_TRUE(!name.empty() && source != MemorySource{} && !group.empty() && bytes.count != 0);
}

TEST(FilledExperiment, HasTheMembersThatTheStoreKnows) {
    const Experiment experiment = filled_experiment();
    const auto& [uuid, started, command, label, state, kind, ab, runs] = experiment;
    EXPECT_TRUE(!uuid.empty() && !started.empty() && !command.empty() && !label.empty());
    EXPECT_NE(state, ExperimentState{});
    EXPECT_NE(kind, ExperimentKind{});
    EXPECT_EQ(runs.size(), 2U);
    const auto& [a, b, runs_a_side, looks, seed, attempt, treatment] = ab.value();
    const AbDesign empty;
    EXPECT_TRUE(!a.empty() && !b.empty() && treatment.size() == 2U);
    EXPECT_NE(runs_a_side, empty.runs);
    EXPECT_NE(looks, empty.looks);
    EXPECT_NE(seed, empty.seed);
    EXPECT_NE(attempt, empty.attempt);
}

TEST(Store, GivesBackEveryFieldOfARun) {
    const test::StoreFolder folder;
    const Experiment experiment = filled_experiment();
    Store(folder.file(), OpenMode::create).add_experiment(experiment);
    EXPECT_EQ(Store(folder.file(), OpenMode::read).load_experiment(experiment.uuid), experiment);
    EXPECT_EQ(Store(folder.file(), OpenMode::read).load_runs({uuid_of('a')}).front(), filled_run());
}

TEST(Store, GivesBackEveryFieldOfADelayedRun) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    store.add_run(uuid_of('e'), delayed_run());
    kvprof::Run stored = store.load_runs({uuid_of('4')}).front();
    stored.events = store.load_events(stored.uuid);
    EXPECT_EQ(stored, delayed_run());
}

TEST(Store, GivesBackARunWithNothingMeasured) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    kvprof::Run run;
    run.uuid = uuid_of('c');
    run.status = {RunState::not_run, "no device", 5};
    store.add_run(uuid_of('e'), run);
    EXPECT_EQ(store.load_runs({uuid_of('c')}).front(), run);
}

TEST(Store, KeepsThePlaceOfAVoidRunAndOfTheOneThatReplacedIt) {
    const test::StoreFolder folder;
    Experiment experiment = filled_experiment();
    experiment.runs[0].status = {RunState::voided, "hw-thermal", 0};
    experiment.runs[0].ab = AbPlace{};
    experiment.runs[1].ab = AbPlace{.side = AbSide::a, .block = 0, .place = 0, .attempt = 1};
    Store(folder.file(), OpenMode::create).add_experiment(experiment);
    const Store store(folder.file(), OpenMode::read);
    EXPECT_EQ(store.load_experiment(experiment.uuid), experiment);
    EXPECT_EQ(store.list_runs(experiment.uuid).at(0).state, RunState::voided);
    EXPECT_EQ(store.list_experiments().at(0).complete_runs, 0);
}

TEST(Store, KeepsTheOrderOfTheTreatment) {
    const test::StoreFolder folder;
    Experiment experiment = filled_experiment();
    experiment.ab->treatment = {"program", "batch", "alloc"};
    Store(folder.file(), OpenMode::create).add_experiment(experiment);
    const Store store(folder.file(), OpenMode::read);
    EXPECT_EQ(store.load_experiment(experiment.uuid).ab, experiment.ab);
}

TEST(Store, GivesACalibrationBackWithoutADesign) {
    const test::StoreFolder folder;
    Experiment calibration;
    calibration.uuid = uuid_of('1');
    calibration.kind = ExperimentKind::calibration;
    Store(folder.file(), OpenMode::create).add_experiment(calibration);
    const Store store(folder.file(), OpenMode::read);
    EXPECT_EQ(store.load_experiment(calibration.uuid), calibration);
    EXPECT_EQ(store.list_experiments().at(0).kind, ExperimentKind::calibration);
}

// A program that writes half a place would make a pair that is none.
TEST(Store, TakesNoHalfOfAPlace) {
    const test::StoreFolder folder;
    Store(folder.file(), OpenMode::create).add_experiment(filled_experiment());
    SQLite::Database raw(folder.file().string(), SQLite::OPEN_READWRITE);
    for (const char* column : {"side", "block", "place", "attempt"}) {
        EXPECT_THROW(
            raw.exec(std::string("UPDATE run SET ") + column + " = NULL"), SQLite::Exception
        ) << column;
    }
    raw.exec("UPDATE run SET side = NULL, block = NULL, place = NULL, attempt = NULL");
    const Store store(folder.file(), OpenMode::read);
    EXPECT_FALSE(store.load_runs({uuid_of('a')}).front().ab);
}

TEST(Store, KeepsTheLastBitOfRealNumbers) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    kvprof::Run run = filled_run();
    run.uuid = uuid_of('c');
    run.step.holes = std::nextafter(0.1, 1.0);
    run.check.attention_error = std::numeric_limits<double>::denorm_min();
    store.add_run(uuid_of('e'), run);
    EXPECT_EQ(store.load_runs({uuid_of('c')}).front(), run);
}

TEST(Store, KeepsAnErrorThatIsNoNumberAsInfinite) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    kvprof::Run run = filled_run();
    run.uuid = uuid_of('c');
    run.check.attention_error = std::numeric_limits<double>::quiet_NaN();
    store.add_run(uuid_of('e'), run);
    EXPECT_EQ(
        store.load_runs({uuid_of('c')}).front().check.attention_error,
        std::numeric_limits<double>::infinity()
    );
}

TEST(Store, KeepsTextsOfAnyContent) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    kvprof::Run run = filled_run();
    run.uuid = uuid_of('c');
    run.notes = {"it's \"quoted\"; DROP TABLE run;--", "two\nlines", "\xc3\xa9", ""};
    store.add_run(uuid_of('e'), run);
    EXPECT_EQ(store.load_runs({uuid_of('c')}).front().notes, run.notes);
}

} // namespace
} // namespace kvprof::db
