#include "capture/git_revision.h"

#include "capture/experiment/temp_folder.h"
#include "capture/model/error.h"
#include "capture/program_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kvprof {
namespace {

using testing::StartsWith;

experiment::ChildResult ended(int code, const std::string& output) {
    return {.end = experiment::ChildEnd::exited, .code = code, .pid = 1, .output_tail = output};
}

/// The revision when git's two commands end like this.
std::string
revision_after(const experiment::ChildResult& head, const experiment::ChildResult& status) {
    return git_revision([&](const experiment::ChildCommand& command) {
        const auto& words = command.arguments;
        const bool is_head = std::find(words.begin(), words.end(), "rev-parse") != words.end();
        return is_head ? head : status;
    });
}

constexpr const char* kHash = "0123456789012345678901234567890123456789";

class GitRevision : public testing::Test {
  protected:
    void SetUp() override {
        if (!find_program("git")) {
            GTEST_SKIP() << "no git in PATH";
        }
    }
};

TEST_F(GitRevision, IsTheCommitAndAPlusWhenFilesWereModified) {
    const auto head = ended(0, std::string(kHash) + "\n");
    EXPECT_EQ(revision_after(head, ended(0, "")), kHash);
    EXPECT_EQ(revision_after(head, ended(0, " M a.cpp\n")), std::string(kHash) + "+");
    EXPECT_EQ(revision_after(head, ended(0, "R  a -> b\nUU c\n")), std::string(kHash) + "+");
}

TEST_F(GitRevision, HasNoPlusForAWarning) {
    const auto head = ended(0, std::string(kHash) + "\n");
    EXPECT_EQ(revision_after(head, ended(0, "warning: no access to '/a': denied\n")), kHash);
    EXPECT_EQ(
        revision_after(head, ended(0, "warning: no access to '/a'\nD  a\n")),
        std::string(kHash) + "+"
    );
}

TEST_F(GitRevision, IsNoneOutsideARepository) {
    const auto head =
        ended(128, "fatal: not a git repository (or any of the parent directories): .git\n");
    EXPECT_EQ(revision_after(head, ended(0, "")), "none");
}

TEST_F(GitRevision, SaysWhyGitFailed) {
    const auto refused = ended(128, "fatal: detected dubious ownership in repository at '/a'\n");
    const std::string why = "unavailable: git exited with code 128: fatal: detected dubious "
                            "ownership in repository at '/a'";
    EXPECT_EQ(revision_after(refused, ended(0, "")), why);
    EXPECT_EQ(revision_after(ended(0, kHash), refused), why);
    EXPECT_THAT(
        revision_after(ended(0, "warning: odd\n"), ended(0, "")),
        StartsWith("unavailable: git exited")
    );
}

TEST_F(GitRevision, EndsAfterASecondAndFailsNoRun) {
    std::chrono::milliseconds limit{0};
    const std::string revision = git_revision([&](const experiment::ChildCommand& command) {
        limit = command.timeout;
        return experiment::ChildResult{
            .end = experiment::ChildEnd::timed_out, .code = 9, .pid = 1, .output_tail = {}};
    });
    EXPECT_EQ(limit, std::chrono::seconds{1});
    EXPECT_EQ(revision, "unavailable: git ran out of time");
    EXPECT_EQ(
        git_revision([](const experiment::ChildCommand&) -> experiment::ChildResult {
            throw UnavailableError("could not start a process: no memory");
        }),
        "unavailable: could not start a process: no memory"
    );
}

/// A repository with one commit that holds one file, as the current folder.
class GitRevisionOfARepository : public GitRevision {
  protected:
    void SetUp() override {
        GitRevision::SetUp();
        if (IsSkipped()) {
            return;
        }
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_.path());
        std::ofstream("file") << "text";
        git({"init", "--quiet"});
        git({"add", "file"});
        git(
            {"-c",
             "user.name=n",
             "-c",
             "user.email=e",
             "-c",
             "commit.gpgsign=false",
             "commit",
             "-qm",
             "m"}
        );
    }

    void TearDown() override {
        if (!before_.empty()) {
            std::filesystem::current_path(before_);
        }
    }

    static void git(std::vector<std::string> words) {
        words.insert(words.begin(), "git");
        const auto result =
            experiment::run_child({.program = find_program("git").value(), .arguments = words});
        ASSERT_EQ(result.code, 0) << experiment::describe(result);
    }

  private:
    experiment::TempFolder folder_;
    std::filesystem::path before_;
};

/// Changes when git writes the index, which it does by putting another file in its place.
ino_t index_file() {
    struct stat facts {};

    EXPECT_EQ(stat(".git/index", &facts), 0);
    return facts.st_ino;
}

TEST_F(GitRevisionOfARepository, SeesWhetherTrackedFilesWereModified) {
    const std::string clean = git_revision();
    EXPECT_EQ(clean.size(), std::string(kHash).size());
    std::ofstream("untracked") << "text";
    EXPECT_EQ(git_revision(), clean);
    std::ofstream("file") << "another text";
    EXPECT_EQ(git_revision(), clean + "+");
}

TEST_F(GitRevisionOfARepository, LeavesAnIndexThatKnowsAnOlderTimeOfAFileAsItIs) {
    // The file was touched, and has not changed: git would like to store that in the index.
    std::filesystem::last_write_time(
        "file", std::filesystem::last_write_time("file") + std::chrono::hours{1}
    );
    const ino_t before = index_file();
    EXPECT_EQ(git_revision().size(), std::string(kHash).size());
    EXPECT_EQ(index_file(), before);
}

} // namespace
} // namespace kvprof
