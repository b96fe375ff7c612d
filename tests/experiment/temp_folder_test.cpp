#include "capture/experiment/temp_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace kvprof::experiment {
namespace {

TEST(TempFolder, IsPrivateAndGoesWithAllThatItHolds) {
    std::filesystem::path path;
    {
        const TempFolder folder;
        path = folder.path();
        std::ofstream(path / "file") << "text";
        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace kvprof::experiment
