#include "db/schema.h"
#include "db/store.h"
#include "tests/db/imported_run.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::db {
namespace {

using test::filled_experiment;
using test::traced_run;
using test::uuid_of;

/// Without the options that no program before schema 7 had.
kvprof::Run before_schema_7(kvprof::Run run) {
    const StepSpec defaults;
    run.step.long_len = defaults.long_len;
    run.step.index_split = defaults.index_split;
    run.step.index_threads = defaults.index_threads;
    run.step.index_items = defaults.index_items;
    run.step.index_blocks = defaults.index_blocks;
    run.step.launch_edges = defaults.launch_edges;
    return run;
}

Experiment before_schema_7(Experiment experiment) {
    for (kvprof::Run& run : experiment.runs) {
        run = before_schema_7(std::move(run));
    }
    return experiment;
}

/// Options as a program of schema 1 or 2 had them: none was automatic, and some there were not.
StepSpec before_schema_3(StepSpec step) {
    const StepSpec defaults;
    step.id_space = defaults.id_space;
    step.stage = defaults.stage;
    step.table_tail = defaults.table_tail;
    step.metadata = defaults.metadata;
    step.consumers = defaults.consumers;
    step.share = defaults.share;
    step.verify = defaults.verify;
    step.compact_pages = defaults.compact_pages;
    for (LaunchForm* form : {&step.table, &step.write, &step.alloc}) {
        *form = *form == LaunchForm::automatic ? LaunchForm::fused : *form;
    }
    step.indptr = step.indptr == LaunchForm::automatic ? LaunchForm::eager : step.indptr;
    return step;
}

/// The same run as a program of schema 1 or 2 would have written it.
kvprof::Run before_schema_3(kvprof::Run run) {
    run.ab.reset();
    run.step = before_schema_3(std::move(run.step));
    run.measure.run_time_s = MeasureSpec{}.run_time_s;
    run.environment.binary.clear();
    run.environment.boot.clear();
    run.environment.method.clear();
    return run;
}

Experiment before_schema_3(Experiment experiment) {
    experiment.kind = ExperimentKind::matrix;
    experiment.ab.reset();
    for (kvprof::Run& run : experiment.runs) {
        run = before_schema_3(std::move(run));
    }
    return experiment;
}

/// As a program of this schema would have written it.
template<typename Stored>
Stored of_schema(int version, Stored stored) {
    Stored older = version < 7 ? before_schema_7(std::move(stored)) : std::move(stored);
    return version < 3 ? before_schema_3(std::move(older)) : older;
}

kvprof::Run without_events(kvprof::Run run) {
    run.events.clear();
    return run;
}

/// A store that the program of an older schema made: filled_experiment(), with traced_run() since
/// schema 2, and the tag "first" of its run a. That of schema 4 has two imports with --keep-events
/// 1 besides: "ranks", of two rank files, and "alone", of the first of them. That of schema 6 is
/// the same store, brought up to it.
class OlderStore : public testing::TestWithParam<int> {
  protected:
    test::StoreFolder folder_;

    OlderStore() {
        std::filesystem::copy_file(
            std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "store"
                / ("version_" + std::to_string(GetParam()) + ".db"),
            folder_.file()
        );
    }

    [[nodiscard]] static Experiment content() {
        Experiment experiment = filled_experiment();
        if (GetParam() >= 2) {
            kvprof::Run traced = without_events(traced_run()); // its position is the least
            if (GetParam() == 2) {
                traced.measure.warmup_max_s = 10.0; // the default of that program
            }
            experiment.runs.insert(experiment.runs.begin(), traced);
        }
        return of_schema(GetParam(), std::move(experiment));
    }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(folder_.file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    [[nodiscard]] std::int64_t version() const {
        SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
        return raw.execAndGet("PRAGMA user_version").getInt64();
    }
};

INSTANTIATE_TEST_SUITE_P(Version, OlderStore, testing::Values(1, 2, 3, 4, 6));

TEST_P(OlderStore, IsOfItsSchema) {
    EXPECT_EQ(version(), GetParam());
    EXPECT_GT(schema_version(), GetParam());
}

TEST_P(OlderStore, IsReadAndLeftAsItIs) {
    const std::string before = bytes();
    {
        const Store store(folder_.file(), OpenMode::read);
        EXPECT_EQ(store.load_experiment(uuid_of('e')), content());
        EXPECT_EQ(store.list_experiments().back().kind, content().kind);
        EXPECT_EQ(store.tags().at(0).name, "first");
        EXPECT_THAT(store.baselines(), testing::IsEmpty());
        EXPECT_THAT(store.load_events(uuid_of('a')), testing::IsEmpty());
        if (GetParam() >= 2) {
            EXPECT_EQ(store.load_events(uuid_of('4')), traced_run().events);
        }
    }
    EXPECT_EQ(bytes(), before);
}

TEST_P(OlderStore, IsBroughtUpToDateByAWriter) {
    for (const OpenMode mode : {OpenMode::write, OpenMode::create}) {
        Store(folder_.file(), mode).tag("second", uuid_of('b'));
        EXPECT_EQ(version(), schema_version());
    }
    const Store store(folder_.file(), OpenMode::read);
    EXPECT_EQ(store.load_experiment(uuid_of('e')), content());
    EXPECT_EQ(store.tags().size(), 2U);
}

// What 0 samples or a missing run-time mean today was not meant then.
TEST_P(OlderStore, KeepsHowItsRunsWereMeasured) {
    const auto measure =
        Store(folder_.file(), OpenMode::read).load_runs({uuid_of('a')}).at(0).measure;
    EXPECT_EQ(measure.samples, 2);
    EXPECT_EQ(measure.warmup_max_s, 2.5);
    EXPECT_EQ(measure.run_time_s, of_schema(GetParam(), test::filled_run()).measure.run_time_s);
}

TEST_P(OlderStore, TakesANewExperimentBesideTheOldOnes) {
    Store store(folder_.file(), OpenMode::write);
    Experiment fresh = filled_experiment();
    fresh.uuid = uuid_of('f');
    fresh.runs[0].uuid = uuid_of('5');
    fresh.runs[1].uuid = uuid_of('6');
    store.add_experiment(fresh);
    store.set_baseline({.name = "main", .runs = {uuid_of('a'), uuid_of('5')}});
    EXPECT_EQ(store.load_experiment(uuid_of('f')), fresh);
    EXPECT_EQ(store.baselines().at(0).runs.size(), 2U);
    EXPECT_EQ(store.load_experiment(uuid_of('e')), content());
}

TEST_P(OlderStore, TakesATracedRunBesideTheOldOnes) {
    Store store(folder_.file(), OpenMode::write);
    kvprof::Run traced = traced_run();
    traced.uuid = uuid_of('7');
    store.add_run(uuid_of('e'), traced);
    EXPECT_EQ(store.load_runs({uuid_of('7')}).front(), without_events(traced));
    EXPECT_EQ(store.load_events(uuid_of('7')), traced.events);
    EXPECT_EQ(store.load_runs({uuid_of('a')}).front(), of_schema(GetParam(), test::filled_run()));
}

TEST_P(OlderStore, TakesAnImportedRunBesideTheOldOnes) {
    Store store(folder_.file(), OpenMode::write);
    store.add_experiment(test::imported_experiment());
    EXPECT_EQ(store.load_experiment(uuid_of('f')), test::imported_experiment());
    EXPECT_EQ(store.load_experiment(uuid_of('e')), content());
}

// Schema 4 did not say whose kernel a kept record is.
TEST(StoreOfSchema4, KeepsRecordsOfOneRankAndDropsThoseThatMayBeOfAny) {
    const test::StoreFolder folder;
    std::filesystem::copy_file(
        std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "store" / "version_4.db", folder.file()
    );
    for (const OpenMode mode : {OpenMode::read, OpenMode::write}) {
        const Store store(folder.file(), mode);
        int imported = 0;
        for (const ExperimentSummary& summary : store.list_experiments()) {
            if (summary.kind != ExperimentKind::imported) {
                continue;
            }
            ++imported;
            const kvprof::Run run = store.load_experiment(summary.uuid).runs.at(0);
            const bool is_alone = summary.label == "alone";
            ASSERT_TRUE(run.profile.has_value());
            EXPECT_EQ(run.profile->ranks.size(), is_alone ? 1U : 2U);
            for (const ProfileRank& rank : run.profile->ranks) {
                EXPECT_EQ(rank.steps.size(), 2U); // these stay
                EXPECT_THAT(rank.figures, testing::Not(testing::IsEmpty()));
            }
            const std::vector<KernelEvent> events = store.load_events(run.uuid);
            ASSERT_EQ(events.size(), is_alone ? 1U : 0U);
            if (is_alone) {
                EXPECT_EQ(events[0].duration, std::chrono::microseconds(40));
                EXPECT_EQ(events[0].rank, 0);
            }
        }
        EXPECT_EQ(imported, 2);
    }
}

TEST_P(OlderStore, HasTheTablesOfAFreshStoreAfterwards) {
    const auto schema_of = [](const std::filesystem::path& path) {
        SQLite::Database raw(path.string(), SQLite::OPEN_READONLY);
        return raw
            .execAndGet("SELECT group_concat(name || ' ' || sql, char(10)) FROM "
                        "(SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name)")
            .getString();
    };
    { const Store store(folder_.file(), OpenMode::write); }
    { const Store store(folder_.file("fresh.db"), OpenMode::create); }
    EXPECT_EQ(schema_of(folder_.file()), schema_of(folder_.file("fresh.db")));
}

TEST_P(OlderStore, IsReadFromAFileThatCanNotBeWritten) {
    ASSERT_EQ(chmod(folder_.file().c_str(), 0444), 0);
    EXPECT_EQ(Store(folder_.file(), OpenMode::read).load_experiment(uuid_of('e')), content());
}

} // namespace
} // namespace kvprof::db
