#include "capture/model/error.h"
#include "db/schema.h"
#include "db/sqlite_error.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace kvprof::db {
namespace {

using test::error_of;
using test::filled_experiment;
using test::filled_run;
using test::uuid_of;
using test::write_file;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kShortWait{50};

std::string open_error(const std::filesystem::path& path, OpenMode mode) {
    return error_of<StoreError>([&] { const Store store(path, mode); });
}

void make_store(const std::filesystem::path& path) {
    Store(path, OpenMode::create).add_experiment(filled_experiment());
}

/// Root may write anywhere: gives the rights of root up for a test's scope.
class Unprivileged {
  public:
    Unprivileged()
        : user_(geteuid()) {
        if (user_ == 0 && seteuid(kNobody) != 0) {
            throw std::runtime_error("could not give up the rights of root");
        }
    }

    Unprivileged(const Unprivileged&) = delete;
    Unprivileged& operator=(const Unprivileged&) = delete;

    ~Unprivileged() { std::ignore = seteuid(user_); }

  private:
    static constexpr uid_t kNobody = 65534;
    uid_t user_;
};

TEST(StoreOpen, MakesTheFileAndItsFolders) {
    const test::StoreFolder folder;
    make_store(folder.path() / "a" / "b" / "kvprof.db");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "a" / "b" / "kvprof.db"));
}

TEST(StoreOpen, LeavesNothingBesideTheFile) {
    const test::StoreFolder folder;
    make_store(folder.file());
    for (const OpenMode mode : {OpenMode::read, OpenMode::write}) {
        std::ignore = Store(folder.file(), mode).list_experiments();
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            EXPECT_EQ(entry.path(), folder.file());
        }
    }
}

TEST(StoreOpen, ReadsWithoutTheRightToWrite) {
    const test::StoreFolder folder;
    make_store(folder.file());
    Store store(folder.file(), OpenMode::read);
    EXPECT_THAT(
        error_of<StoreError>([&] { store.tag("x", uuid_of('e')); }),
        HasSubstr("no permission to write")
    );
    EXPECT_TRUE(store.tags().empty());
}

TEST(StoreOpen, MarksTheFileAsAStore) {
    const test::StoreFolder folder;
    make_store(folder.file());
    SQLite::Database raw(folder.file().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(raw.execAndGet("PRAGMA application_id").getInt64(), kApplicationId);
    EXPECT_EQ(raw.execAndGet("PRAGMA user_version").getInt64(), schema_version());
    EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "wal");
}

TEST(StoreOpen, DoesNotMakeAFileToRead) {
    const test::StoreFolder folder;
    EXPECT_THAT(open_error(folder.file(), OpenMode::read), HasSubstr("there is no such file"));
    EXPECT_THAT(open_error(folder.file(), OpenMode::write), HasSubstr("there is no such file"));
    EXPECT_FALSE(std::filesystem::exists(folder.file()));
}

TEST(StoreOpen, RefusesAFolder) {
    const test::StoreFolder folder;
    EXPECT_THAT(open_error(folder.path(), OpenMode::create), HasSubstr("it is a folder"));
}

TEST(StoreOpen, RefusesAFileThatIsNoDatabase) {
    const test::StoreFolder folder;
    write_file(folder.file(), std::string(5000, 'x'));
    for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
        EXPECT_THAT(open_error(folder.file(), mode), HasSubstr("not a kvprof store"));
    }
}

TEST(StoreOpen, FillsAnEmptyFileOnlyWhenItMayCreate) {
    const test::StoreFolder folder;
    write_file(folder.file(), "");
    EXPECT_THAT(open_error(folder.file(), OpenMode::read), HasSubstr("the file is empty"));
    EXPECT_THAT(open_error(folder.file(), OpenMode::write), HasSubstr("the file is empty"));
    EXPECT_EQ(open_error(folder.file(), OpenMode::create), "");
}

TEST(StoreOpen, LeavesTheDatabaseOfAnotherProgramAlone) {
    const test::StoreFolder folder;
    {
        SQLite::Database raw(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        raw.exec("CREATE TABLE t(x); PRAGMA application_id = 17");
    }
    for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
        EXPECT_THAT(
            open_error(folder.file(), mode),
            HasSubstr("a database of another program (application id 0x11, kvprof's is 0x6b767072)")
        );
    }
    SQLite::Database raw(folder.file().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "delete");
}

TEST(StoreOpen, SaysBothVersionsOfANewerStore) {
    const test::StoreFolder folder;
    make_store(folder.file());
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE)
        .exec("PRAGMA user_version = 9");
    for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
        EXPECT_THAT(
            open_error(folder.file(), mode),
            HasSubstr("it has schema 9, and this kvprof knows schemas up to 7")
        );
    }
}

TEST(StoreOpen, ReportsATruncatedFile) {
    const test::StoreFolder folder;
    make_store(folder.file());
    std::filesystem::resize_file(folder.file(), 8192);
    EXPECT_THAT(
        error_of<StoreError>([&] {
            std::ignore = Store(folder.file(), OpenMode::read).load_experiment(uuid_of('e'));
        }),
        AllOf(HasSubstr("the file is damaged ("), HasSubstr("kvprof.db"))
    );
}

TEST(StoreOpen, ReportsWhatACheckOfADamagedFileFinds) {
    const test::StoreFolder folder;
    make_store(folder.file());
    const auto size = std::filesystem::file_size(folder.file());
    {
        std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4096);
        file << std::string(size - 4096, '\x5a');
    }
    EXPECT_THAT(
        error_of<StoreError>([&] {
            std::ignore = Store(folder.file(), OpenMode::read).list_experiments();
        }),
        AllOf(HasSubstr("the file is damaged ("), HasSubstr(".recover"))
    );
}

TEST(StoreOpen, NamesAFolderThatCanNotBeMade) {
    const test::StoreFolder folder;
    write_file(folder.file("plain"), "x");
    EXPECT_THAT(
        open_error(folder.path() / "plain" / "kvprof.db", OpenMode::create),
        HasSubstr("its folder can not be made")
    );
}

TEST(StoreOpen, ReadsFromAFolderThatCanNotBeWritten) {
    const test::StoreFolder folder;
    make_store(folder.file());
    ASSERT_EQ(chmod(folder.file().c_str(), 0444), 0);
    ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
    {
        const Unprivileged scope;
        EXPECT_EQ(
            Store(folder.file(), OpenMode::read).load_experiment(uuid_of('e')), filled_experiment()
        );
        EXPECT_THAT(
            error_of<StoreError>([&] {
                Store store(folder.file(), OpenMode::write);
                store.add_run(uuid_of('e'), filled_run());
            }),
            HasSubstr("--db")
        );
        EXPECT_THAT(open_error(folder.file("new.db"), OpenMode::create), HasSubstr("new.db"));
    }
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
}

TEST(StoreLock, TellsASecondWriterWhoWaitsTooLong) {
    const test::StoreFolder folder;
    make_store(folder.file());
    SQLite::Database other(folder.file().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    Store store(folder.file(), OpenMode::write, kShortWait);
    EXPECT_THAT(
        error_of<StoreError>([&] { store.tag("x", uuid_of('e')); }),
        AllOf(HasSubstr("locked by another process"), HasSubstr("wait until"))
    );
    other.exec("COMMIT");
    store.tag("x", uuid_of('e'));
}

TEST(StoreLock, LetsReadersReadWhileAWriterWrites) {
    const test::StoreFolder folder;
    make_store(folder.file());
    SQLite::Database writer(folder.file().string(), SQLite::OPEN_READWRITE);
    writer.exec("BEGIN IMMEDIATE; DELETE FROM run");
    const Store one(folder.file(), OpenMode::read, kShortWait);
    const Store two(folder.file(), OpenMode::read, kShortWait);
    EXPECT_EQ(one.load_experiment(uuid_of('e')), filled_experiment());
    EXPECT_EQ(two.load_experiment(uuid_of('e')), filled_experiment());
}

void make_one_store_in_four_processes() {
    const test::StoreFolder folder;
    std::vector<pid_t> children;
    for (const char digit : {'1', '2', '3', '4'}) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            int code = 1;
            try {
                Experiment experiment;
                experiment.uuid = uuid_of(digit);
                Store(folder.file(), OpenMode::create).add_experiment(experiment);
                code = 0;
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
    EXPECT_EQ(Store(folder.file(), OpenMode::read).list_experiments().size(), 4U);
}

TEST(StoreLock, LetsManyProcessesMakeOneStore) {
    constexpr int kRounds = 40; // one in ten shows a half-made store to somebody who looks twice
    for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
        make_one_store_in_four_processes();
    }
}

/// Opens and closes the store again and again: whoever is last removes the log that the next one
/// makes.
int code_of_many_visits(const std::filesystem::path& path, char digit) {
    constexpr int kVisits = 40;
    try {
        for (int visit = 0; visit < kVisits; ++visit) {
            if (digit < '3') {
                Store(path, OpenMode::write).tag(std::string{digit}, uuid_of('e'));
            } else if (Store(path, OpenMode::read).load_experiment(uuid_of('e')) != filled_experiment()) {
                return 2;
            }
        }
        return 0;
    } catch (const Error&) {
        return 1;
    }
}

TEST(StoreLock, LetsReadersComeAndGoWhileWritersDo) {
    const test::StoreFolder folder;
    make_store(folder.file());
    std::vector<pid_t> children;
    for (const char digit : {'1', '2', '3', '4', '5', '6'}) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            _exit(code_of_many_visits(folder.file(), digit));
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(Store(folder.file(), OpenMode::read).tags().size(), 2U);
}

TEST(StoreKill, KeepsWhatWasCommittedAndDropsTheRest) {
    const test::StoreFolder folder;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        Store store(folder.file(), OpenMode::create);
        store.add_experiment(filled_experiment());
        SQLite::Database raw(folder.file().string(), SQLite::OPEN_READWRITE);
        raw.exec("BEGIN IMMEDIATE; DELETE FROM sample; DELETE FROM experiment");
        std::ignore = raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(
        Store(folder.file(), OpenMode::read).load_experiment(uuid_of('e')), filled_experiment()
    );
}

TEST(SqliteError, SaysTheCauseInOurWords) {
    const auto message = [](int code) {
        const SQLite::Exception failure("what SQLite says", code);
        const StoreError error = store_error(failure, "/data/kvprof.db", "SELECT 1");
        return std::string(error.what()) + " | " + error.hint();
    };
    EXPECT_THAT(
        message(SQLITE_FULL),
        AllOf(
            HasSubstr("could not use the store /data/kvprof.db: the disk is full [SQL: SELECT 1]"),
            HasSubstr("free space")
        )
    );
    EXPECT_THAT(message(SQLITE_BUSY), HasSubstr("locked by another process"));
    EXPECT_THAT(message(SQLITE_READONLY_DIRECTORY), HasSubstr("no permission to write"));
    EXPECT_THAT(message(SQLITE_IOERR_WRITE), HasSubstr("the disk reported an error"));
    EXPECT_THAT(message(SQLITE_ERROR), HasSubstr("what SQLite says"));
}

} // namespace
} // namespace kvprof::db
