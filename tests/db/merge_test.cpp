#include "db/merge.h"

#include "capture/model/error.h"
#include "tests/db/store_file.h"
#include "tests/db/two_stores.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kvprof::db {
namespace {

using test::content_of;
using test::error_of;
using test::experiment_of;
using test::make_store;
using test::uuid_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using ConflictKind = MergeConflict::Kind;

using StoreMerge = test::TwoStores;

TEST_F(StoreMerge, TakesEveryBitOfTheOtherStore) {
    make_store(other_, {experiment_of('e', "ab"), experiment_of('f', "cd")});
    {
        Store store(other_, OpenMode::write);
        store.tag("all", uuid_of('e'));
        store.tag("one", uuid_of('d'));
        store.set_baseline(
            {.name = "main",
             .set_at = "2026-01-02T00:00:00Z",
             .author = "ann",
             .reason = "first",
             .runs = {uuid_of('a'), uuid_of('c')}}
        );
    }
    const MergeResult result = take();
    EXPECT_EQ(content_of(here_), content_of(other_));
    EXPECT_EQ(content_of(here_).experiments.at(0), experiment_of('f', "cd"));
    EXPECT_FALSE(content_of(here_).experiments.at(0).runs.at(0).events.empty());
    EXPECT_EQ(result.experiments, (MergeCount{2, 0}));
    EXPECT_EQ(result.runs, (MergeCount{4, 0}));
    EXPECT_EQ(result.tags, (MergeCount{2, 0}));
    EXPECT_EQ(result.baselines, (MergeCount{1, 0}));
    EXPECT_THAT(result.conflicts, IsEmpty());
}

TEST_F(StoreMerge, AddsNothingTheSecondTime) {
    make_store(other_, {experiment_of('e', "ab")});
    {
        Store store(other_, OpenMode::write);
        store.tag("all", uuid_of('e'));
        store.set_baseline({.name = "main", .runs = {uuid_of('a')}});
    }
    take();
    const auto before = content_of(here_);
    const MergeResult again = take();
    EXPECT_EQ(
        again,
        (MergeResult{.experiments = {0, 1}, .runs = {0, 2}, .tags = {0, 1}, .baselines = {0, 1}})
    );
    EXPECT_EQ(content_of(here_), before);
}

TEST_F(StoreMerge, KeepsAFieldThatThisProgramDoesNotKnow) {
    make_store(other_, {experiment_of('e', "a")});
    SQLite::Database(other_.string(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO run_param VALUES(1, 'step', 'of-tomorrow', '7')");
    take();
    SQLite::Database raw(here_.string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(
        raw.execAndGet("SELECT value FROM run_param WHERE name = 'of-tomorrow'").getString(), "7"
    );
}

TEST_F(StoreMerge, LeavesWhatIsHereAlone) {
    make_store(here_, {experiment_of('1', "23")});
    make_store(other_, {experiment_of('e', "ab")});
    take();
    EXPECT_THAT(
        content_of(here_).experiments,
        ElementsAre(experiment_of('e', "ab"), experiment_of('1', "23"))
    );
}

TEST_F(StoreMerge, PutsMissingRunsIntoTheirPlaces) {
    Experiment here = experiment_of('e', "abcd");
    Experiment other = here;
    here.runs = {here.runs[0], here.runs[3]};
    other.runs = {other.runs[1], other.runs[2], other.runs[3]};
    make_store(here_, {here});
    make_store(other_, {other});
    const MergeResult result = take();
    EXPECT_THAT(content_of(here_).experiments, ElementsAre(experiment_of('e', "abcd")));
    EXPECT_EQ(result.experiments, (MergeCount{0, 1}));
    EXPECT_EQ(result.runs, (MergeCount{2, 1}));
}

struct StateCase {
    ExperimentState here;
    ExperimentState other;
    ExperimentState result;
};

class MergedState : public test::TwoStores, public testing::WithParamInterface<StateCase> {};

using enum ExperimentState;
INSTANTIATE_TEST_SUITE_P(
    Of,
    MergedState,
    testing::Values(
        StateCase{running, complete, complete},
        StateCase{running, interrupted, interrupted},
        StateCase{interrupted, complete, complete},
        StateCase{interrupted, running, interrupted},
        StateCase{complete, interrupted, complete},
        StateCase{complete, running, complete}
    )
);

TEST_P(MergedState, OnlyMovesOn) {
    Experiment experiment = experiment_of('e', "a");
    experiment.state = GetParam().here;
    make_store(here_, {experiment});
    experiment.state = GetParam().other;
    make_store(other_, {experiment});
    const MergeResult result = take();
    EXPECT_EQ(content_of(here_).experiments.at(0).state, GetParam().result);
    EXPECT_EQ(result.states_updated, GetParam().here == GetParam().result ? 0 : 1);
    EXPECT_THAT(result.conflicts, IsEmpty());
}

TEST_F(StoreMerge, NamesARunOfOtherContentAndKeepsItsOwn) {
    make_store(here_, {experiment_of('e', "ab")});
    Experiment other = experiment_of('e', "abc");
    other.runs[1].samples[0].gpu_time += std::chrono::nanoseconds(1);
    make_store(other_, {other});
    const MergeResult result = take();
    EXPECT_THAT(
        result.conflicts,
        ElementsAre(MergeConflict{
            ConflictKind::run, uuid_of('b'), uuid_of('e'), "its rows in sample differ"})
    );
    EXPECT_EQ(result.runs, (MergeCount{1, 1}));
    EXPECT_EQ(content_of(here_).experiments.at(0).runs.at(1), experiment_of('e', "ab").runs.at(1));
    EXPECT_EQ(content_of(here_).experiments.at(0).runs.size(), 3U);
}

TEST_F(StoreMerge, NamesARunWithASampleLessOrMore) {
    for (const bool is_here : {true, false}) {
        std::filesystem::remove(here_);
        std::filesystem::remove(other_);
        Experiment shorter = experiment_of('e', "b");
        shorter.runs[0].step_records.pop_back();
        make_store(is_here ? here_ : other_, {shorter});
        make_store(is_here ? other_ : here_, {experiment_of('e', "b")});
        EXPECT_EQ(take().conflicts.at(0).cause, "its rows in step_record differ");
    }
}

TEST_F(StoreMerge, NamesARunThatStandsInAnotherExperimentHere) {
    make_store(here_, {experiment_of('1', "a")});
    make_store(other_, {experiment_of('e', "a")});
    EXPECT_THAT(
        take().conflicts,
        ElementsAre(MergeConflict{
            ConflictKind::run, uuid_of('a'), uuid_of('e'), "it is a run of another experiment here"}
        )
    );
    EXPECT_THAT(content_of(here_).experiments.at(0).runs, IsEmpty());
    EXPECT_EQ(content_of(here_).experiments.at(1), experiment_of('1', "a"));
}

TEST_F(StoreMerge, NamesAnExperimentOfAnotherHeadAndTakesNoRunOfIt) {
    Experiment other = experiment_of('e', "ab");
    other.ab->treatment.emplace_back("batch");
    make_store(other_, {other, experiment_of('f', "c")});
    make_store(here_, {experiment_of('e', "a")});
    const MergeResult result = take();
    EXPECT_THAT(
        result.conflicts,
        ElementsAre(MergeConflict{
            ConflictKind::experiment,
            uuid_of('e'),
            uuid_of('e'),
            "it is another one here (the rows in ab_treatment differ)"})
    );
    EXPECT_EQ(result.experiments, (MergeCount{1, 0}));
    EXPECT_EQ(content_of(here_).experiments.at(1), experiment_of('e', "a"));
}

TEST_F(StoreMerge, KeepsATagThatPointsElsewhere) {
    make_store(here_, {experiment_of('1', "2")});
    make_store(other_, {experiment_of('e', "a")});
    Store(here_, OpenMode::write).tag("fast", uuid_of('1'));
    Store(other_, OpenMode::write).tag("fast", uuid_of('a'));
    const MergeResult result = take();
    EXPECT_THAT(
        result.conflicts,
        ElementsAre(MergeConflict{
            ConflictKind::tag, "fast", "", "it names experiment " + uuid_of('1') + " here"})
    );
    EXPECT_EQ(content_of(here_).tags, (std::vector<Tag>{{"fast", uuid_of('1'), std::nullopt}}));
}

TEST_F(StoreMerge, GivesNoNameToWhatItRefused) {
    make_store(here_, {experiment_of('e', "a")});
    Experiment other = experiment_of('e', "a");
    other.runs[0].notes.emplace_back("another one");
    make_store(other_, {other});
    {
        Store store(other_, OpenMode::write);
        store.tag("fast", uuid_of('a'));
        store.set_baseline({.name = "main", .runs = {uuid_of('a')}});
    }
    const MergeResult result = take();
    ASSERT_EQ(result.conflicts.size(), 3U);
    EXPECT_EQ(result.conflicts[1].kind, ConflictKind::tag);
    EXPECT_EQ(result.conflicts[2].kind, ConflictKind::baseline);
    EXPECT_THAT(content_of(here_).tags, IsEmpty());
    EXPECT_THAT(content_of(here_).baselines, IsEmpty());
}

TEST_F(StoreMerge, CompletesARunThatCameWithoutItsEvents) {
    Experiment here = experiment_of('e', "ab");
    for (kvprof::Run& run : here.runs) {
        run.events.clear();
    }
    make_store(here_, {here});
    make_store(other_, {experiment_of('e', "ab")});
    const MergeResult result = take();
    EXPECT_EQ(result.events_added, 1); // the second run has none anywhere
    EXPECT_EQ(result.runs, (MergeCount{0, 2}));
    EXPECT_THAT(content_of(here_).experiments, ElementsAre(experiment_of('e', "ab")));
}

TEST_F(StoreMerge, TakesARunWithoutItsEventsForTheSame) {
    Experiment other = experiment_of('e', "a");
    other.runs[0].events.clear();
    make_store(other_, {other});
    make_store(here_, {experiment_of('e', "a")});
    EXPECT_EQ(take().runs, (MergeCount{0, 1}));
    EXPECT_THAT(content_of(here_).experiments, ElementsAre(experiment_of('e', "a")));
}

TEST_F(StoreMerge, NamesARunOfOtherEvents) {
    Experiment other = experiment_of('e', "a");
    other.runs[0].events.back().duration += std::chrono::nanoseconds(1);
    make_store(other_, {other});
    make_store(here_, {experiment_of('e', "a")});
    EXPECT_EQ(take().conflicts.at(0).cause, "its rows in kernel_event differ");
}

TEST_F(StoreMerge, RefusesTheStoreItself) {
    make_store(here_, {});
    std::filesystem::create_hard_link(here_, other_);
    EXPECT_THAT(error_of<UsageError>([&] { take(); }), HasSubstr("it is the store itself"));
}

TEST_F(StoreMerge, ReadsAnOlderStore) {
    std::filesystem::copy_file(
        std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "store" / "version_1.db", other_
    );
    take();
    EXPECT_EQ(content_of(here_), content_of(other_));
    EXPECT_FALSE(content_of(here_).tags.empty());
    EXPECT_EQ(take().runs.added, 0);
}

TEST_F(StoreMerge, AddsNothingWhenTheOtherStoreIsDamaged) {
    make_store(other_, {experiment_of('e', "ab"), experiment_of('f', "cd")});
    make_store(here_, {experiment_of('1', "2")});
    {
        // A page in which the last run's rows stand: the first experiment is copied by then.
        SQLite::Database raw(other_.string(), SQLite::OPEN_READWRITE);
        const auto page =
            raw.execAndGet("SELECT max(pageno) FROM dbstat WHERE name = 'memory_mark'").getInt64();
        std::fstream file(other_, std::ios::in | std::ios::out | std::ios::binary);
        constexpr std::int64_t kPageBytes = 4096;
        file.seekp((page - 1) * kPageBytes);
        file << std::string(kPageBytes, '\x5a');
    }
    const auto before = content_of(here_);
    EXPECT_THAT(error_of<StoreError>([&] { take(); }), HasSubstr("other.db"));
    EXPECT_EQ(content_of(here_), before);
}

TEST_F(StoreMerge, WaitsForAnotherMergeIntoTheSameStore) {
    std::vector<pid_t> children;
    const std::string digits = "12345678";
    for (const char digit : digits) {
        make_store(folder_.file({digit}), {experiment_of('e', "abcd"), experiment_of(digit, {})});
    }
    for (const char digit : digits) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            int code = 1;
            try {
                Store into(here_, OpenMode::create, kMergeLockWait);
                const MergeResult result =
                    merge(into, Store(folder_.file({digit}), OpenMode::read));
                code = result.conflicts.empty() ? 0 : 2;
            } catch (const Error&) {
            }
            _exit(code);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(content_of(here_).experiments.size(), 9U);
    EXPECT_EQ(Store(here_, OpenMode::read).load_experiment(uuid_of('e')).runs.size(), 4U);
}

} // namespace
} // namespace kvprof::db
