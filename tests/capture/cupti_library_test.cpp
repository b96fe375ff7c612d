#include "capture/cupti_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace kvprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

int version_13(std::uint32_t* version) {
    *version = 130'001;
    return 0;
}

int version_12(std::uint32_t* version) {
    *version = 28;
    return 0;
}

/// Files that open; the handle of one is its version function, and what was tried is noted.
struct Shelf {
    std::map<std::string, int (*)(std::uint32_t*)> files;
    std::map<std::string, int (*)(std::uint32_t*)> in_process;
    std::vector<std::string> tried;

    static void* look_up(const decltype(files)& where, const std::string& file) {
        const auto found = where.find(file);
        return found == where.end() ? nullptr : reinterpret_cast<void*>(found->second);
    }

    Libraries libraries() {
        return {
            .open =
                [this](const std::string& file) {
                    tried.push_back(file);
                    return look_up(files, file);
                },
            .symbol = [](void* library, const char* /*symbol*/) { return library; },
            .why = [this] { return "no " + tried.back(); },
            .loaded = [this](const std::string& file) { return look_up(in_process, file); }};
    }
};

/// Takes the user's KVPROF_CUPTI away while a test runs.
class CuptiLibrarySearch : public ::testing::Test {
  protected:
    void SetUp() override { unsetenv("KVPROF_CUPTI"); }

    void TearDown() override { unsetenv("KVPROF_CUPTI"); }

    Shelf shelf_;
};

TEST_F(CuptiLibrarySearch, PrefersTheOneThatTheProcessHas) {
    shelf_.in_process = {{"libcupti.so.13", version_13}};
    const CuptiLibrary found = find_cupti_library(shelf_.libraries());
    EXPECT_EQ(found.version, 130'001U);
    EXPECT_TRUE(shelf_.tried.empty());
}

TEST_F(CuptiLibrarySearch, TakesTheFileOfTheEnvironmentAndNoOther) {
    shelf_.files = {{"/mine/cupti", version_13}, {"libcupti.so.13", version_13}};
    setenv("KVPROF_CUPTI", "/mine/cupti", 1);
    EXPECT_EQ(find_cupti_library(shelf_.libraries()).file, "/mine/cupti");

    setenv("KVPROF_CUPTI", "/gone", 1);
    const CuptiLibrary gone = find_cupti_library(shelf_.libraries());
    EXPECT_EQ(gone.handle, nullptr);
    EXPECT_EQ(gone.why, "no /gone");
    EXPECT_THAT(shelf_.tried, ElementsAre("/mine/cupti", "/gone"));
}

TEST_F(CuptiLibrarySearch, LooksInToolkitFoldersFor13BeforeItTakes12) {
    shelf_.files = {
        {"libcupti.so.12", version_12}, {"/usr/local/cuda/lib64/libcupti.so.13", version_13}};
    EXPECT_EQ(find_cupti_library(shelf_.libraries()).file, "/usr/local/cuda/lib64/libcupti.so.13");
    EXPECT_THAT(shelf_.tried, Not(Contains("libcupti.so.12")));
}

TEST_F(CuptiLibrarySearch, ReturnsAnOlderOneWhereThereIsNo13) {
    shelf_.files = {{"libcupti.so.12", version_12}};
    const CuptiLibrary found = find_cupti_library(shelf_.libraries());
    EXPECT_EQ(found.file, "libcupti.so.12");
    EXPECT_EQ(found.version, 28U);
}

TEST_F(CuptiLibrarySearch, GivesTheReasonOfTheFirstName) {
    EXPECT_EQ(find_cupti_library(shelf_.libraries()).why, "no libcupti.so.13");
}

} // namespace
} // namespace kvprof
