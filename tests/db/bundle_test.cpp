#include "db/bundle.h"

#include "capture/model/error.h"
#include "db/merge.h"
#include "db/schema.h"
#include "tests/db/store_file.h"
#include "tests/db/two_stores.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iterator>

namespace kvprof::db {
namespace {

using test::content_of;
using test::error_of;
using test::experiment_of;
using test::make_store;
using test::uuid_of;
using test::write_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Experiment calibration() {
    Experiment experiment = experiment_of('6', "89");
    experiment.kind = ExperimentKind::calibration;
    experiment.ab.reset();
    experiment.label = "noise";
    for (kvprof::Run& run : experiment.runs) {
        run.ab.reset();
    }
    return experiment;
}

/// Experiments e (label "line") and f, and a calibration; tags of each, two baselines.
class StoreBundle : public testing::Test {
  protected:
    test::StoreFolder folder_;
    std::filesystem::path store_ = folder_.file();
    std::filesystem::path target_ = folder_.file("bundle.db");

    StoreBundle() {
        make_store(store_, {experiment_of('e', "abcd"), experiment_of('f', "12"), calibration()});
        Store store(store_, OpenMode::write);
        store.tag("whole", uuid_of('e'));
        store.tag("single", uuid_of('b'));
        store.tag("elsewhere", uuid_of('f'));
        store.tag("of-noise", uuid_of('6'));
        store.set_baseline({.name = "main", .set_at = "2026-01-01", .runs = {uuid_of('b')}});
        store.set_baseline(
            {.name = "main", .set_at = "2026-01-02", .runs = {uuid_of('a'), uuid_of('2')}}
        );
        store.set_baseline({.name = "other", .set_at = "2026-01-02", .runs = {uuid_of('1')}});
    }

    BundleContent
    bundle(const std::vector<std::string>& references, const BundleOptions& options = {}) {
        const Store store(store_, OpenMode::read);
        std::vector<Selection> selections;
        for (const std::string& reference : references) {
            selections.push_back(resolve(store, reference));
        }
        return export_bundle(store, selections, target_, options);
    }

    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }
};

TEST_F(StoreBundle, HoldsTheChosenRunsToTheBit) {
    const BundleContent content = bundle({"tag:whole"});
    const auto held = content_of(target_);
    EXPECT_THAT(held.experiments, UnorderedElementsAre(experiment_of('e', "abcd"), calibration()));
    EXPECT_THAT(
        held.tags,
        ElementsAre(
            Tag{"single", uuid_of('e'), uuid_of('b')}, Tag{"whole", uuid_of('e'), std::nullopt}
        )
    );
    EXPECT_THAT(held.baselines, IsEmpty());
    EXPECT_EQ(content.experiments, 2);
    EXPECT_EQ(content.runs, 6);
    EXPECT_EQ(content.calibrations, 1);
    EXPECT_EQ(content.tags, 2);
    EXPECT_EQ(content.bytes, std::filesystem::file_size(target_));
}

TEST_F(StoreBundle, IsAStoreInOneFile) {
    bundle({"tag:whole"});
    {
        SQLite::Database raw(target_.string(), SQLite::OPEN_READONLY);
        EXPECT_EQ(raw.execAndGet("PRAGMA application_id").getInt64(), kApplicationId);
        EXPECT_EQ(raw.execAndGet("PRAGMA user_version").getInt64(), schema_version());
        EXPECT_EQ(raw.execAndGet("PRAGMA freelist_count").getInt(), 0);
        EXPECT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
        EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "delete");
    }
    std::ignore = content_of(target_);
    EXPECT_THAT(files(), UnorderedElementsAre("kvprof.db", "bundle.db"));
}

TEST_F(StoreBundle, HoldsPartOfAnExperiment) {
    bundle({"id:" + uuid_of('b'), "id:" + uuid_of('d')}, {.has_calibrations = false});
    const auto held = content_of(target_);
    Experiment part = experiment_of('e', "abcd");
    part.runs = {part.runs[1], part.runs[3]};
    EXPECT_THAT(held.experiments, ElementsAre(part));
}

TEST_F(StoreBundle, HoldsAnExperimentWithoutRuns) {
    Store(store_, OpenMode::write).add_experiment(experiment_of('7', ""));
    bundle({"id:" + uuid_of('7')}, {.has_calibrations = false});
    EXPECT_THAT(content_of(target_).experiments, ElementsAre(experiment_of('7', "")));
}

TEST_F(StoreBundle, HoldsTheBaselineThatWasAskedFor) {
    EXPECT_EQ(bundle({"baseline/main"}).baselines, 1);
    const Store store(target_, OpenMode::read);
    EXPECT_THAT(
        resolve(store, "baseline/main").runs, UnorderedElementsAre(uuid_of('a'), uuid_of('2'))
    );
    EXPECT_EQ(store.baselines().size(), 1U);
    EXPECT_EQ(store.baselines().at(0).revision, 2);
}

TEST_F(StoreBundle, HoldsNoBaselineOfWhichARunIsMissing) {
    EXPECT_EQ(bundle({"baseline/main/batch=64"}).baselines, 0);
    EXPECT_THAT(content_of(target_).baselines, IsEmpty());
}

TEST_F(StoreBundle, LeavesEventsAndCalibrationsOutWhenToldSo) {
    bundle({"tag:whole"}, {.has_events = false, .has_calibrations = false});
    Experiment expected = experiment_of('e', "abcd");
    for (kvprof::Run& run : expected.runs) {
        run.events.clear();
    }
    EXPECT_THAT(content_of(target_).experiments, ElementsAre(expected));
}

TEST_F(StoreBundle, CountsACalibrationThatWasChosenAsChosen) {
    const BundleContent content = bundle({"label:noise"});
    EXPECT_EQ(content.experiments, 1);
    EXPECT_EQ(content.calibrations, 0);
    EXPECT_EQ(content.tags, 1);
}

TEST_F(StoreBundle, HasTheSameBytesEachTime) {
    bundle({"tag:whole", "baseline/main"});
    const std::string first = bytes_of(target_);
    bundle({"baseline/main", "tag:whole"});
    EXPECT_EQ(bytes_of(target_), first);
}

TEST_F(StoreBundle, ComesBackThroughAMerge) {
    bundle({"tag:whole", "tag:elsewhere", "baseline/main"});
    const std::filesystem::path back = folder_.file("back.db");
    Store into(back, OpenMode::create);
    EXPECT_THAT(merge(into, Store(target_, OpenMode::read)).conflicts, IsEmpty());
    const auto held = content_of(back);
    EXPECT_THAT(
        held.experiments,
        UnorderedElementsAre(experiment_of('e', "abcd"), experiment_of('f', "12"), calibration())
    );
    // Into the store that it came from it brings nothing.
    Store origin(store_, OpenMode::write);
    const MergeResult again = merge(origin, Store(target_, OpenMode::read));
    EXPECT_EQ(again.runs, (MergeCount{0, 8}));
    EXPECT_EQ(again.baselines, (MergeCount{0, 1}));
}

TEST_F(StoreBundle, ReplacesAFileThatIsThereAndKeepsItsRights) {
    write_file(target_, "old");
    std::filesystem::permissions(
        target_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write
    );
    bundle({"tag:whole"});
    EXPECT_EQ(content_of(target_).experiments.size(), 2U);
    EXPECT_EQ(
        std::filesystem::status(target_).permissions(),
        std::filesystem::perms::owner_read | std::filesystem::perms::owner_write
    );
}

TEST_F(StoreBundle, FollowsALink) {
    std::filesystem::create_symlink("real.db", target_);
    bundle({"tag:whole"});
    EXPECT_TRUE(std::filesystem::is_symlink(target_));
    EXPECT_EQ(content_of(folder_.file("real.db")).experiments.size(), 2U);
}

TEST_F(StoreBundle, RefusesTheStoreItself) {
    const std::string before = bytes_of(store_);
    std::filesystem::create_hard_link(store_, target_);
    EXPECT_THAT(
        error_of<UsageError>([&] { bundle({"tag:whole"}); }), HasSubstr("it is the store itself")
    );
    EXPECT_EQ(bytes_of(store_), before);
}

TEST_F(StoreBundle, RefusesWhatIsNoFile) {
    target_ = folder_.path();
    EXPECT_THAT(error_of<UsageError>([&] { bundle({"@latest"}); }), HasSubstr("it is a folder"));
    target_ = "/dev/full";
    EXPECT_THAT(error_of<UsageError>([&] { bundle({"@latest"}); }), HasSubstr("it is no file"));
    target_ = folder_.path() / "missing" / "bundle.db";
    EXPECT_THAT(error_of<UsageError>([&] { bundle({"@latest"}); }), HasSubstr("bundle.db"));
    EXPECT_THAT(files(), ElementsAre("kvprof.db"));
}

TEST_F(StoreBundle, RefusesAStoreThatIsOpen) {
    bundle({"tag:whole"});
    {
        const Store open(target_, OpenMode::write);
        EXPECT_THAT(
            error_of<UsageError>([&] { bundle({"tag:whole"}); }),
            HasSubstr("bundle.db-wal lies beside it | name another file")
        );
    }
    bundle({"tag:whole"});
    EXPECT_EQ(content_of(target_).experiments.size(), 2U);
}

TEST_F(StoreBundle, RefusesAStoreThatHoldsOtherRuns) {
    make_store(target_, {experiment_of('3', "4")});
    const std::string before = bytes_of(target_);
    EXPECT_THAT(
        error_of<UsageError>([&] { bundle({"tag:whole"}); }),
        HasSubstr("it is a store that holds other runs, as ")
    );
    EXPECT_EQ(bytes_of(target_), before);
}

/// In a process of its own, whose files can not grow beyond the limit once the store is open; gives
/// the error's text.
std::string error_with_file_limit(
    const std::filesystem::path& path, const std::filesystem::path& target, rlim_t limit
) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        return "no pipe";
    }
    const pid_t child = fork();
    if (child == 0) {
        std::string text;
        {
            const Store store(path, OpenMode::read);
            const std::vector<Selection> selections{resolve(store, "tag:whole")};
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit most{limit, limit};
            text = setrlimit(RLIMIT_FSIZE, &most) == 0 ? "" : "no limit";
            text += error_of<StoreError>([&] { export_bundle(store, selections, target); });
        }
        std::ignore = ::write(ends[1], text.data(), text.size());
        _exit(0);
    }
    close(ends[1]);
    std::string text(4096, '\0');
    const ssize_t size = ::read(ends[0], text.data(), text.size());
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

TEST_F(StoreBundle, LeavesTheTargetAsItWasWhenTheDiskIsFull) {
    const auto size = bundle({"tag:whole"}).bytes;
    write_file(target_, "old");
    // From the first page to the last step, in which the file is written anew.
    for (const rlim_t limit :
         {rlim_t{4096}, rlim_t{65536}, rlim_t{size / 2}, rlim_t{size - 4096}}) {
        const std::string error = error_with_file_limit(store_, target_, limit);
        EXPECT_THAT(error, HasSubstr("bundle.db")) << limit;
        EXPECT_THAT(error, testing::Not(HasSubstr("bundle.db."))) << limit;
        EXPECT_EQ(bytes_of(target_), "old");
        EXPECT_THAT(files(), UnorderedElementsAre("kvprof.db", "bundle.db")) << limit;
    }
}

TEST_F(StoreBundle, LeavesNothingWhenARunIsUnknown) {
    const Store store(store_, OpenMode::read);
    const Selection unknown{"x", store_, {}, {uuid_of('0')}};
    EXPECT_THAT(
        error_of<StoreError>([&] { export_bundle(store, {unknown}, target_); }),
        HasSubstr("could not read run 0000")
    );
    EXPECT_THAT(files(), testing::Not(testing::Contains(HasSubstr("bundle"))));
}

} // namespace
} // namespace kvprof::db
