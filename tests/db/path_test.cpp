#include "db/path.h"

#include "capture/model/error.h"
#include "tests/db/store_file.h"

#include <gtest/gtest.h>

namespace kvprof::db {
namespace {

using std::filesystem::path;

const PathEnvironment kHomeOnly{std::nullopt, std::nullopt, "/home/ada"};

TEST(StorePath, PrefersTheFlag) {
    const PathEnvironment all{"/env.db", "/xdg", "/home/ada"};
    EXPECT_EQ(store_path(path("here.db"), all, "/"), path("here.db"));
}

TEST(StorePath, PrefersTheVariableToTheProject) {
    const test::StoreFolder folder;
    test::write_file(folder.file("kvprof.toml"), "");
    const PathEnvironment all{"/env.db", "/xdg", "/home/ada"};
    EXPECT_EQ(store_path(std::nullopt, all, folder.path()), path("/env.db"));
}

TEST(StorePath, LiesBesideTheNearestConfigurationUpwards) {
    const test::StoreFolder folder;
    std::filesystem::create_directories(folder.path() / "a" / "b");
    test::write_file(folder.file("kvprof.toml"), "");
    const path wanted = folder.path() / ".kvprof" / "kvprof.db";
    EXPECT_EQ(store_path(std::nullopt, kHomeOnly, folder.path() / "a" / "b"), wanted);
    EXPECT_EQ(store_path(std::nullopt, kHomeOnly, folder.path()), wanted);
}

TEST(StorePath, StopsAtTheRootOfACheckout) {
    const test::StoreFolder folder;
    std::filesystem::create_directories(folder.path() / "checkout" / ".git");
    test::write_file(folder.file("kvprof.toml"), "");
    EXPECT_EQ(
        store_path(std::nullopt, kHomeOnly, folder.path() / "checkout"),
        path("/home/ada/.local/share/kvprof/kvprof.db")
    );
}

TEST(StorePath, FallsBackToTheDataFolder) {
    const auto place = [](const PathEnvironment& environment) {
        return store_path(std::nullopt, environment, "/");
    };
    EXPECT_EQ(place({std::nullopt, "/xdg", "/home/ada"}), path("/xdg/kvprof/kvprof.db"));
    EXPECT_EQ(place(kHomeOnly), path("/home/ada/.local/share/kvprof/kvprof.db"));
    EXPECT_EQ(place({"", "", "/home/ada"}), path("/home/ada/.local/share/kvprof/kvprof.db"));
    EXPECT_EQ(place({"", "relative", "/h"}), path("/h/.local/share/kvprof/kvprof.db"));
}

TEST(StorePath, AsksForAFlagWithoutAHome) {
    EXPECT_THROW(std::ignore = store_path(std::nullopt, {}, "/"), UsageError);
}

} // namespace
} // namespace kvprof::db
