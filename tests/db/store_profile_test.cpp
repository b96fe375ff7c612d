#include "capture/model/error.h"
#include "db/bundle.h"
#include "db/merge.h"
#include "db/store.h"
#include "tests/db/imported_run.h"
#include "tests/db/store_file.h"
#include "tests/db/two_stores.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kvprof::db {
namespace {

using std::chrono::nanoseconds;
using test::content_of;
using test::error_of;
using test::imported_experiment;
using test::imported_run;
using test::uuid_of;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kProfileTables{
    "profile",
    "profile_rank",
    "profile_figure",
    "profile_step",
    "profile_capability",
    "profile_warning",
    "profile_neighbour"};

/// Store `other_` holds imported_experiment().
class StoreProfileTest : public test::TwoStores {
  protected:
    StoreProfileTest() { test::make_store(other_, {imported_experiment()}); }

    [[nodiscard]] kvprof::Run stored() const {
        return Store(other_, OpenMode::read).load_runs({uuid_of('7')}).front();
    }

    void change(const std::string& sql) const {
        SQLite::Database raw(other_.string(), SQLite::OPEN_READWRITE);
        raw.exec("PRAGMA foreign_keys = ON");
        raw.exec(sql);
    }

    [[nodiscard]] std::vector<std::int64_t> rows_of_each_table() const {
        SQLite::Database raw(other_.string(), SQLite::OPEN_READONLY);
        std::vector<std::int64_t> counts;
        for (const std::string& table : kProfileTables) {
            counts.push_back(raw.execAndGet("SELECT count(*) FROM " + table).getInt64());
        }
        return counts;
    }
};

// Each list names every member: one that is added stops the build here, and asks for a column.
TEST(FilledProfile, LeavesNoMemberAtItsDefault) {
    const Profile profile = test::filled_profile();
    const auto& [source, writer, step_rule, is_partial, ranks, capabilities, warnings, neighbours] =
        profile;
    EXPECT_TRUE(source != ProfileSource{} && !writer.empty() && !step_rule.empty() && is_partial);
    const auto& [rank, file, gpu, figures, steps] = ranks.at(0);
    EXPECT_TRUE(!rank.empty() && !file.empty() && !gpu.empty());
    const auto& [figure, value] = figures.at(0);
    EXPECT_TRUE(!figure.empty() && value != 0);
    const auto& [step, start, duration, launches, graph_launches, kernels, sum] = steps.at(0);
    EXPECT_TRUE(!step.empty() && start.count() != 0 && duration.count() != 0 && launches != 0);
    EXPECT_TRUE(graph_launches != 0 && kernels != 0 && sum.count() != 0);
    const auto& [capability, state] = capabilities.at(0);
    EXPECT_TRUE(!capability.empty() && state != Capability::unknown);
    const auto& [word, count, text] = warnings.at(0);
    EXPECT_TRUE(!word.empty() && count != 1 && !text.empty());
    const auto& [kernel, before, after] = neighbours.at(0);
    EXPECT_TRUE(kernel != 0 && before && after);
}

TEST_F(StoreProfileTest, GivesBackEveryFactOfAProfile) {
    EXPECT_EQ(stored(), imported_run());
    const Store store(other_, OpenMode::read);
    EXPECT_EQ(store.load_experiment(uuid_of('f')), imported_experiment());
    EXPECT_EQ(store.list_experiments(ExperimentKind::imported).size(), 1U);
}

TEST_F(StoreProfileTest, KeepsFiguresStepsRanksAndWarningsInTheirOrder) {
    kvprof::Run run = imported_run();
    std::reverse(run.profile->ranks.begin(), run.profile->ranks.end());
    std::reverse(run.profile->ranks[1].figures.begin(), run.profile->ranks[1].figures.end());
    std::reverse(run.profile->ranks[1].steps.begin(), run.profile->ranks[1].steps.end());
    std::reverse(run.profile->capabilities.begin(), run.profile->capabilities.end());
    std::reverse(run.profile->warnings.begin(), run.profile->warnings.end());
    Store(other_, OpenMode::write).replace_run(uuid_of('f'), run);
    EXPECT_EQ(stored(), run);
}

TEST_F(StoreProfileTest, TellsAnEmptyProfileFromNone) {
    kvprof::Run run = imported_run();
    run.profile = Profile{};
    Store(other_, OpenMode::write).replace_run(uuid_of('f'), run);
    EXPECT_EQ(stored().profile, Profile{});
    run.profile.reset();
    Store(other_, OpenMode::write).replace_run(uuid_of('f'), run);
    EXPECT_FALSE(stored().profile);
    EXPECT_THAT(rows_of_each_table(), ElementsAre(0, 0, 0, 0, 0, 0, 0));
}

TEST_F(StoreProfileTest, TellsAnAbsentFigureFromZero) {
    kvprof::Run run = imported_run();
    run.profile->ranks[1].figures = {{"cpu_op.count", 0}};
    Store(other_, OpenMode::write).replace_run(uuid_of('f'), run);
    EXPECT_EQ(stored().profile, run.profile);
}

TEST_F(StoreProfileTest, RefusesAFigureThatARankHasTwice) {
    kvprof::Run run = imported_run();
    run.profile->ranks[0].figures[1].name = run.profile->ranks[0].figures[0].name;
    Store store(other_, OpenMode::write);
    EXPECT_THAT(
        error_of<StoreError>([&] { store.replace_run(uuid_of('f'), run); }),
        HasSubstr("UNIQUE constraint failed")
    );
    EXPECT_EQ(stored(), imported_run());
}

TEST_F(StoreProfileTest, StoresAKernelOfNoOpWithAnEmptyText) {
    SQLite::Database raw(other_.string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(raw.execAndGet("SELECT '<' || op || '>' FROM kernel_stat").getString(), "<>");
}

TEST_F(StoreProfileTest, RemovingTheRunLeavesNoRowBehind) {
    EXPECT_THAT(rows_of_each_table(), ElementsAre(1, 2, 3, 2, 3, 2, 2));
    Store(other_, OpenMode::write).remove(uuid_of('7'));
    EXPECT_THAT(rows_of_each_table(), ElementsAre(0, 0, 0, 0, 0, 0, 0));
}

TEST_F(StoreProfileTest, ReplacingTheRunLeavesNoRowOfBefore) {
    kvprof::Run run = imported_run();
    run.profile->ranks.pop_back();
    Store(other_, OpenMode::write).replace_run(uuid_of('f'), run);
    EXPECT_THAT(rows_of_each_table(), ElementsAre(1, 1, 2, 2, 3, 2, 2));
    EXPECT_EQ(stored(), run);
}

TEST_F(StoreProfileTest, ComesAlongInAMerge) {
    take();
    EXPECT_EQ(content_of(here_), content_of(other_));
    EXPECT_EQ(content_of(here_).experiments.at(0), imported_experiment());
    EXPECT_EQ(take(), (MergeResult{.experiments = {0, 1}, .runs = {0, 1}}));
}

TEST_F(StoreProfileTest, IsAConflictWhereAnyRowDiffers) {
    const std::vector<std::string> changes{
        "UPDATE profile SET writer = 'another'",
        "UPDATE profile_rank SET gpu = 'another' WHERE ordinal = 1",
        "UPDATE profile_figure SET value = 5 WHERE rank_ordinal = 1",
        "UPDATE profile_step SET kernels = 5 WHERE ordinal = 1",
        "UPDATE profile_capability SET state = 'carried'",
        "DELETE FROM profile_warning WHERE ordinal = 1",
        "UPDATE profile_neighbour SET kernel_after = 9 WHERE kernel = 5"};
    take();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        std::filesystem::remove(other_);
        test::make_store(other_, {imported_experiment()});
        change(changes[i]);
        const MergeResult result = take();
        ASSERT_EQ(result.conflicts.size(), 1U) << changes[i];
        EXPECT_EQ(result.conflicts[0].cause, "its rows in " + kProfileTables[i] + " differ");
    }
}

TEST_F(StoreProfileTest, ComesAlongInABundle) {
    const Store store(other_, OpenMode::read);
    export_bundle(store, {{.experiment = uuid_of('f'), .runs = {uuid_of('7')}}}, here_, {});
    EXPECT_EQ(content_of(here_), content_of(other_));
}

TEST_F(StoreProfileTest, ReportsAWordThatItDoesNotKnow) {
    for (const char* sql :
         {"UPDATE profile SET source = 'teleport'",
          "UPDATE profile_capability SET state = 'teleport' WHERE ordinal = 2"}) {
        std::filesystem::remove(other_);
        test::make_store(other_, {imported_experiment()});
        change(sql);
        EXPECT_THAT(
            error_of<StoreError>([&] { std::ignore = stored(); }),
            HasSubstr("\"teleport\" has no meaning in this program")
        ) << sql;
    }
}

} // namespace
} // namespace kvprof::db
