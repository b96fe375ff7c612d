#include "db/merge.h"
#include "tests/db/two_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using test::content_of;
using test::experiment_of;
using test::make_store;
using test::uuid_of;
using testing::ElementsAre;

Baseline revision(const std::string& day, const std::string& runs) {
    Baseline baseline{.name = "main", .set_at = day, .author = "ann", .reason = day};
    for (const char digit : runs) {
        baseline.runs.push_back(uuid_of(digit));
    }
    return baseline;
}

class MergedBaseline : public test::TwoStores {
  protected:
    void SetUp() override {
        make_store(here_, {experiment_of('e', "abc")});
        make_store(other_, {experiment_of('e', "abc")});
    }

    void set(const std::filesystem::path& path, const std::string& day, const std::string& runs) {
        Store(path, OpenMode::write).set_baseline(revision(day, runs));
    }

    /// "DAY RUNS" of each revision, the newest first.
    [[nodiscard]] std::vector<std::string> revisions() const {
        std::vector<std::string> texts;
        for (const Baseline& baseline : content_of(here_).baselines) {
            std::string text = std::to_string(baseline.revision) + " " + baseline.set_at + " ";
            for (const std::string& run : baseline.runs) {
                text += run[0];
            }
            texts.push_back(text);
        }
        return texts;
    }
};

TEST_F(MergedBaseline, NumbersARevisionAfterItsOwn) {
    set(here_, "2026-01-01", "a");
    set(other_, "2026-01-02", "b");
    EXPECT_EQ(take().baselines, (MergeCount{1, 0}));
    EXPECT_THAT(revisions(), ElementsAre("2 2026-01-02 b", "1 2026-01-01 a"));
}

TEST_F(MergedBaseline, LetsTheOneThatWasSetLastHold) {
    set(here_, "2026-01-01", "a");
    set(here_, "2026-01-03", "c");
    set(other_, "2026-01-02", "b");
    take();
    EXPECT_THAT(revisions(), ElementsAre("3 2026-01-03 c", "2 2026-01-02 b", "1 2026-01-01 a"));
    EXPECT_EQ(take().baselines, (MergeCount{0, 1}));
}

TEST_F(MergedBaseline, IsAnotherRevisionWithOtherRuns) {
    set(here_, "2026-01-01", "a");
    set(other_, "2026-01-01", "b");
    EXPECT_EQ(take().baselines, (MergeCount{1, 0}));
}

TEST_F(MergedBaseline, IsKnownAlsoWhenOneOfItsRunsWasRemovedHere) {
    for (const auto& path : {here_, other_}) {
        set(path, "2026-01-01", "ab");
        set(path, "2026-01-02", "c");
    }
    Store(here_, OpenMode::write).remove(uuid_of('b'));
    EXPECT_EQ(take().baselines, (MergeCount{0, 2}));
    EXPECT_EQ(revisions().size(), 2U);
}

} // namespace
} // namespace kvprof::db
